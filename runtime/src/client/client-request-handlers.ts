import type { Conversions, FindIssues, HandlerContext, ParamsDescriptor, Side } from "@mcpwright/protocol/contract";
import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { ClientCapabilities, ElicitRequestFormParams, ElicitResult, ListRootsResult } from "../authoring.js";
import { hasCapability, missingCapability } from "../connection/capability.js";
import { reportDeprecated } from "../connection/deprecation.js";
import type { MethodHandler } from "../connection/dispatch-table.js";
import { explainIssues } from "../connection/explain-issues.js";
import { MessageConverter } from "../connection/message-converter.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { assertExtensionIds } from "../rules/extension-ids.js";
import { checkFormContent, withDefaults } from "../rules/form.js";
import { isRootUri } from "../rules/roots.js";
import { checkSamplingMessages, type SamplingTurn } from "../rules/sampling.js";

/** The second argument of a handler of a server's request. */
export type ServerRequestContext = Pick<HandlerContext, "signal" | "requestId">;

/** A request of a server that arrived in a result. */
export interface InputRequest {
  readonly method: string;
  readonly params?: object;
}

/** The conditional capabilities that a client must check. Other conditions concern only the sender of the request. */
const checkedCapabilities: readonly string[] = ["client.sampling.tools", "client.elicitation.url"];

/** Runs the host's handlers for requests of servers. */
export class ClientRequestHandlers {
  readonly handlers = new Map<string, MethodHandler>();
  readonly #converter: MessageConverter;

  /** @throws SdkError `INVALID_CONFIGURATION` when the id of an extension is invalid */
  constructor(
    readonly declared: ClientCapabilities,
    conversions: Conversions | undefined,
    readonly options: { readonly onerror?: (error: Error) => void; readonly findIssues?: FindIssues } = {},
  ) {
    assertExtensionIds(declared);
    this.#converter = new MessageConverter(conversions, "toPeer", "server", "results");
  }

  /** @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the client does not declare the capability */
  register(method: string, handler: MethodHandler): void {
    const capability = `client.${method.split("/", 1)[0] ?? ""}`;
    if (!hasCapability(this.declared, capability))
      throw new SdkError(
        "CAPABILITY_NOT_SUPPORTED",
        `to handle ${method}, pass the option capabilities: { ${capability.slice(7)}: {} }`,
      );
    this.handlers.set(method, handler);
  }

  /**
   * Runs the host's handler, and checks the params and the result.
   * @throws ProtocolError -32602 for params that need an undeclared capability, or break the rules
   * @throws SdkError `INVALID_CONFIGURATION` when the handler's result does not match the request; `INVALID_RESULT` when the
   *   server's revision has no such result
   */
  async handle(
    side: Side,
    row: ParamsDescriptor,
    method: string,
    params: Readonly<Record<string, unknown>>,
    context: ServerRequestContext,
  ): Promise<object> {
    const problem = this.#requestProblem(row, method, params);
    if (problem) throw new ProtocolError(ErrorCode.InvalidParams, problem);
    reportDeprecated(this.options, method, row.deprecated);
    const handler = this.handlers.get(method) as ((params: unknown, context: unknown) => unknown) | undefined;
    const result = await handler?.(params, context);
    if (!isObject(result))
      throw new SdkError("INVALID_CONFIGURATION", `the handler of ${method} must return an object`);
    const whole =
      method === ELICITATION_CREATE ? completeForm(side, params, result as unknown as ElicitResult) : result;
    const answer = this.#converter.convert(side, method, whole);
    const isRejected = row.answer?.(answer) === false;
    if (isRejected || (method === ROOTS_LIST && !isRoots(answer))) {
      const known = isRejected ? explainIssues(this.options.findIssues, side, row.answer, answer) : undefined;
      const message = `the handler of ${method} returned an invalid result${known ? `: ${known.text}` : ""}`;
      throw new SdkError("INVALID_CONFIGURATION", message, { issues: known?.issues ?? [], result: answer });
    }
    return answer;
  }

  /**
   * Runs the host's handler for an input request, which arrived in a result.
   * @param asker the method of that result
   * @throws SdkError `INPUT_REQUIRED_UNSUPPORTED` when there is no handler; otherwise as `handle`
   */
  async handleInput(
    side: Side,
    asker: string,
    { method, params = {} }: InputRequest,
    context: ServerRequestContext,
  ): Promise<object> {
    const row = ownMember(side.receives.inputs, method);
    if (!row || !this.handlers.has(method))
      throw new SdkError(
        "INPUT_REQUIRED_UNSUPPORTED",
        `${asker} asks for ${method}: register a handler with setRequestHandler`,
      );
    return this.handle(side, row, method, params as Readonly<Record<string, unknown>>, context);
  }

  #requestProblem(
    row: ParamsDescriptor,
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): string | undefined {
    const conditions = row.conditions?.filter(({ capability }) => checkedCapabilities.includes(capability)) ?? [];
    const missing = missingCapability({ capability: null, conditions }, params, "client", this.declared);
    if (missing) return `Invalid params of ${method}: this client did not declare ${missing.slice("client.".length)}`;
    if (method === SAMPLING_CREATE_MESSAGE) return checkSamplingMessages(params["messages"] as readonly SamplingTurn[]);
    const modes = this.declared.elicitation ?? {};
    if (method === ELICITATION_CREATE && params["mode"] === "url")
      return isSafeUrl(params["url"])
        ? undefined
        : `Invalid params of ${method}: url must begin with https:, and have no user name or password`;
    if (method === ELICITATION_CREATE && modes.url && !modes.form)
      return `Invalid params of ${method}: this client did not declare elicitation.form`;
    return undefined;
  }
}

/** Whether all roots are `file://` URIs, which the schema does not require. */
function isRoots(answer: object): boolean {
  return (answer as ListRootsResult).roots.every(({ uri }) => isRootUri(uri));
}

/**
 * Whether the URL is safe to open (MCP, security best practices): other schemes can run code or be intercepted, and a name
 * before the host hides the host.
 */
function isSafeUrl(url: unknown): boolean {
  const text = String(url);
  if (!/^(https:|http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?#]|$))/i.test(text)) return false;
  const parsed = parseUrl(text);
  return parsed !== undefined && parsed.username + parsed.password === "";
}

/** Adds the defaults of the form, and checks the content against it. */
function completeForm({ profile }: Side, params: object, { action, content }: ElicitResult): object {
  const { mode, requestedSchema } = params as Omit<Partial<ElicitRequestFormParams>, "mode"> & { mode?: string };
  if (action !== "accept" || mode === "url") return { action };
  const whole = profile.elicitation === "formAndUrl" ? withDefaults(requestedSchema, content) : (content ?? {});
  const [issue] = checkFormContent(requestedSchema, whole);
  if (issue)
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `the handler of ${ELICITATION_CREATE} returned invalid content: /${issue.path.join("/")} ${issue.message}`,
    );
  return { action, content: whole };
}
