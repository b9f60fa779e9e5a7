import type { Needs, ResultDescriptor, Side } from "@mcpwright/protocol/contract";
import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { type Capabilities, capabilityTree, missingCapability } from "../connection/capability.js";
import type { Explanation } from "../connection/explain-issues.js";
import { ErrorCode, MissingRequiredClientCapabilityError, SdkError } from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import { urlElicitationProblem } from "../jsonrpc/url-elicitation.js";
import { checkFormContent, checkFormSchema } from "../rules/form.js";
import { isRootUri, type RootFolder } from "../rules/roots.js";
import { checkSamplingMessages, type SamplingTurn } from "../rules/sampling.js";

/** A request of a server to its client: elicitation, sampling or roots. */
export interface InputRequest {
  readonly method: string;
  readonly params?: object | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The input request methods of all revisions; the tables of one revision do not contain those that it lacks. */
const inputRequestMethods: readonly string[] = [ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE];

/**
 * Checks an input request and returns the row for reading its response.
 * @throws MissingRequiredClientCapabilityError when the client did not declare a needed capability, or the revision does
 *   not have it
 * @throws SdkError `CANNOT_ASK` when the request itself is invalid
 */
export function checkInputRequest(side: Side, capabilities: Capabilities, request: InputRequest): ResultDescriptor {
  const { method } = request;
  const { profile, receives } = side;
  const rows = profile.serverRequests === "wire" ? receives.results : receives.answers;
  const row = ownMember(rows, method);
  if (!row && !inputRequestMethods.includes(method))
    throw new SdkError("CANNOT_ASK", `${method} is not an input request; use ${inputRequestMethods.join(", ")}`);
  const missing = row && missingClientCapability(side, capabilities, row, request);
  if (row && missing === undefined) {
    throwIfProblem(request, inputRequestProblem(side, request));
    return row;
  }
  throw missingCapabilityError(side, missing ?? `client.${method.split("/", 1)[0] ?? method}`);
}

/** @param path the capability: `client.<path>` */
export function missingCapabilityError({ profile }: Side, path: string): MissingRequiredClientCapabilityError {
  const code = profile.opening === "stateless" ? profile.missingCapabilityCode : ErrorCode.InvalidParams;
  const message = `The client did not declare the required capability ${path.slice("client.".length)}`;
  return new MissingRequiredClientCapabilityError(code, message, capabilityTree(path));
}

/** Returns the capability that an input request needs and the client did not declare: `client.<path>`. */
export function missingClientCapability(
  side: Side,
  capabilities: Capabilities,
  row: Needs,
  request: InputRequest,
): string | undefined {
  return (
    missingByRevision(side, capabilities, request) ?? missingCapability(row, request.params, "client", capabilities)
  );
}

/** Like `missingClientCapability`, for modes and tools, which only some revisions have and the tables do not contain. */
function missingByRevision(
  { profile }: Side,
  capabilities: Capabilities,
  { method, params }: InputRequest,
): string | undefined {
  const { tools, toolChoice, mode } = (params ?? {}) as Members;
  if (method === SAMPLING_CREATE_MESSAGE)
    return profile.samplingTools || (tools === undefined && toolChoice === undefined)
      ? undefined
      : "client.sampling.tools";
  if (method !== ELICITATION_CREATE) return undefined;
  const modes = capabilities["elicitation"];
  if (mode === "url") return profile.elicitation === "formAndUrl" ? undefined : "client.elicitation.url";
  // In every revision, any object declares forms, unless it names only the mode `url`.
  return isObject(modes) && modes["url"] && !modes["form"] ? "client.elicitation.form" : undefined;
}

/** @throws SdkError `CANNOT_ASK` when an input request is invalid after conversion to the client's revision */
export function checkConvertedInputRequest(side: Side, request: InputRequest): void {
  throwIfProblem(request, inputRequestProblem(side, request));
  const { messages } = (request.params ?? {}) as { readonly messages: readonly Members[] };
  const single = request.method === SAMPLING_CREATE_MESSAGE && !side.profile.samplingTools;
  if (single && messages.some(({ content }) => Array.isArray(content)))
    throwIfProblem(request, "content must be a single block: this revision does not support arrays");
}

function throwIfProblem({ method }: InputRequest, problem: string | undefined): void {
  if (problem !== undefined) throw new SdkError("CANNOT_ASK", `${method}: ${problem}`);
}

function inputRequestProblem({ profile }: Side, { method, params }: InputRequest): string | undefined {
  const { messages, maxTokens, message, mode, url, requestedSchema } = (params ?? {}) as Members;
  if (method === SAMPLING_CREATE_MESSAGE) {
    if (!Array.isArray(messages) || !messages.every(isObject)) return "messages must be an array of objects";
    if (!Number.isFinite(maxTokens)) return "maxTokens must be a finite number";
    return checkSamplingMessages(messages as unknown as readonly SamplingTurn[]);
  }
  if (method !== ELICITATION_CREATE) return undefined;
  if (mode === "url") return urlElicitationProblem({ message, url });
  if (typeof message !== "string") return "message must be a string";
  if (mode !== undefined && mode !== "form") return 'mode must be "form" or "url"';
  return checkFormSchema(requestedSchema, { multiSelect: profile.elicitation === "formAndUrl" });
}

/**
 * Returns what is invalid in the response to an input request; undefined when it is valid.
 * @param explain returns why the descriptor's predicate rejects the response
 */
export function inputResponseProblem(
  row: ResultDescriptor,
  { method, params }: InputRequest,
  response: unknown,
  explain: () => Explanation | undefined,
): Explanation | undefined {
  if (!row.result(response)) return explain() ?? plain("it does not match the result schema of this input request");
  const { mode, requestedSchema } = (params ?? {}) as Members;
  const { action, content, roots } = response as Members;
  if (method === ROOTS_LIST) {
    const index = (roots as readonly RootFolder[]).findIndex(({ uri }) => !isRootUri(uri));
    return index < 0 ? undefined : plain(`/roots/${index}/uri: must be a file: URI`);
  }
  if (method !== ELICITATION_CREATE || mode === "url" || action !== "accept") return undefined;
  const [issue] = checkFormContent(requestedSchema, content);
  return issue && plain(`/${issue.path.join("/")}: ${issue.message}`);
}

function plain(text: string): Explanation {
  return { text, issues: [] };
}

/** Returns a checked response for handlers, without unchecked content: only content of an accepted form is checked. */
export function acceptedInputResponse({ method, params }: InputRequest, response: object): object {
  const { content, ...rest } = response as Members;
  const legal = rest["action"] === "accept" && (params as Members | undefined)?.["mode"] !== "url";
  return method !== ELICITATION_CREATE || legal || content === undefined ? response : rest;
}
