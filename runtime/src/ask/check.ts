import type { ResultRow, Side } from "@mcpwright/protocol/contract";
import { ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { type Capabilities, capabilityTree, missingCapability } from "../engine/capability.js";
import { ErrorCode, MissingRequiredClientCapabilityError, SdkError } from "../engine/errors.js";
import { isObject } from "../engine/json-rpc.js";
import { checkFormContent, checkFormSchema } from "../rules/form.js";
import { checkSamplingMessages, type SamplingTurn } from "../rules/sampling.js";

/** Something a server wants to know from its client. */
export interface Question {
  readonly method: string;
  readonly params?: object;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds the row by which a question's answer is read.
 * @throws MissingRequiredClientCapabilityError when the client did not declare what the question needs, or the revision
 *   does not have it
 * @throws SdkError `CANNOT_ASK` when the question itself is not legal
 */
export function checkQuestion(side: Side, declared: Capabilities, { method, params }: Question): ResultRow {
  const { profile, receives } = side;
  const rows = profile.serverRequests === "wire" ? receives.results : receives.answers;
  const row = rows && Object.hasOwn(rows, method) ? rows[method] : undefined;
  const members = (params ?? {}) as Members;
  const missing = row
    ? (missingByProfile(side, declared, method, members) ?? missingCapability(row, params, "client", declared))
    : `client.${method.split("/", 1)[0] ?? method}`;
  if (missing || !row) {
    const path = missing ?? "client";
    const code = profile.opening === "perRequest" ? profile.missingCapabilityCode : ErrorCode.InvalidParams;
    const message = `The client does not offer ${path.slice("client.".length)}, which this needs`;
    throw new MissingRequiredClientCapabilityError(code, message, capabilityTree(path));
  }
  const problem = problemOf(side, method, members);
  if (problem) throw new SdkError("CANNOT_ASK", `${method}: ${problem}`);
  return row;
}

/** What a question needs that is not in the capability tables: modes and tools came into being one by one. */
function missingByProfile(
  { profile }: Side,
  declared: Capabilities,
  method: string,
  params: Members,
): string | undefined {
  if (method === SAMPLING_CREATE_MESSAGE)
    return !profile.samplingTools && params["tools"] !== undefined ? "client.sampling.tools" : undefined;
  if (method !== ELICITATION_CREATE) return undefined;
  const modes = declared["elicitation"];
  if (params["mode"] === "url") return profile.elicitation === "formAndUrl" ? undefined : "client.elicitation.url";
  // Any object stands for forms but one that names the other mode only, whatever the session's revision.
  return isObject(modes) && modes["url"] && !modes["form"] ? "client.elicitation.form" : undefined;
}

function problemOf({ profile }: Side, method: string, params: Members): string | undefined {
  if (method === SAMPLING_CREATE_MESSAGE) return checkSamplingMessages(params["messages"] as readonly SamplingTurn[]);
  if (method !== ELICITATION_CREATE || params["mode"] === "url") return undefined;
  const rich = profile.elicitation === "formAndUrl";
  return checkFormSchema(params["requestedSchema"], { defaults: rich ? "all" : "boolean", multiSelect: rich });
}

/** What is wrong with the answer to a question; undefined when nothing is. */
export function checkAnswer(row: ResultRow, { method, params }: Question, answer: unknown): string | undefined {
  if (!row.result(answer)) return "it does not have the shape of an answer to this question";
  const { mode, requestedSchema } = (params ?? {}) as Members;
  const { action, content } = answer as Members;
  if (method !== ELICITATION_CREATE || mode === "url" || action !== "accept") return undefined;
  const [issue] = checkFormContent(requestedSchema, content);
  return issue && `/${issue.path.join("/")}: ${issue.message}`;
}
