import type { HandlerContext, ParamsRow, Side } from "@mcpwright/protocol/contract";
import { ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { ClientCapabilities, ElicitRequestFormParams, ElicitResult } from "../authoring.js";
import { type Capabilities, missingCapability } from "../engine/capability.js";
import { ErrorCode, ProtocolError, SdkError } from "../engine/errors.js";
import { isObject } from "../engine/json-rpc.js";
import type { Handler } from "../engine/routes.js";
import { checkFormContent, withDefaults } from "../rules/form.js";
import { checkSamplingMessages, type SamplingTurn } from "../rules/sampling.js";

/** What a handler of a server's question gets besides its params. */
export type QuestionContext = Pick<HandlerContext, "signal" | "requestId">;

/**
 * Has the host answer a question of the server, and checks both.
 * @throws ProtocolError -32602 for a question that needs what the client did not declare, or breaks the rules
 * @throws SdkError `INVALID_CONFIGURATION` when the host's answer does not fit the question
 */
export async function answerQuestion(
  side: Side,
  row: ParamsRow,
  method: string,
  params: Readonly<Record<string, unknown>>,
  declared: ClientCapabilities,
  handler: Handler,
  context: QuestionContext,
): Promise<object> {
  const problem = problemOf(row, method, params, declared);
  if (problem) throw new ProtocolError(ErrorCode.InvalidParams, problem);
  const answer = await (handler as (params: unknown, context: unknown) => unknown)(params, context);
  if (!isObject(answer)) throw new SdkError("INVALID_CONFIGURATION", `the handler of ${method} returned no object`);
  return method === ELICITATION_CREATE ? completeForm(side, params, answer as unknown as ElicitResult) : answer;
}

function problemOf(
  row: ParamsRow,
  method: string,
  params: Readonly<Record<string, unknown>>,
  declared: ClientCapabilities,
): string | undefined {
  const missing = missingCapability({ ...row, capability: null }, params, "client", declared as Capabilities);
  if (missing) return `Invalid params of ${method}: this client did not declare ${missing.slice("client.".length)}`;
  if (method === SAMPLING_CREATE_MESSAGE) return checkSamplingMessages(params["messages"] as readonly SamplingTurn[]);
  const modes = declared.elicitation ?? {};
  if (method === ELICITATION_CREATE && params["mode"] === "url")
    return isSafeUrl(params["url"]) ? undefined : `Invalid params of ${method}: url must begin with https:`;
  if (method === ELICITATION_CREATE && modes.url && !modes.form)
    return `Invalid params of ${method}: this client did not declare elicitation.form`;
  return undefined;
}

/** Whether the user may be sent there (MCP, security best practices): others run code, or are read on the way. */
function isSafeUrl(url: unknown): boolean {
  return /^(https:|http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?#]|$))/i.test(String(url));
}

/** Fills in defaults, and holds the answer against the form. */
function completeForm({ profile }: Side, params: object, { action, content }: ElicitResult): object {
  const { mode, requestedSchema } = params as Omit<Partial<ElicitRequestFormParams>, "mode"> & { mode?: string };
  if (action !== "accept" || mode === "url") return { action };
  const whole = profile.elicitation === "formAndUrl" ? withDefaults(requestedSchema, content) : (content ?? {});
  const [issue] = checkFormContent(requestedSchema, whole);
  if (issue)
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `the answer does not fit the form: /${issue.path.join("/")} ${issue.message}`,
    );
  return { action, content: whole };
}
