import type { Needs, ResultDescriptor, Side } from "@mcpwright/protocol/contract";
import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { type Capabilities, capabilityTree, missingCapability } from "../connection/capability.js";
import { ErrorCode, MissingRequiredClientCapabilityError, SdkError } from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import { urlElicitationProblem } from "../jsonrpc/url-elicitation.js";
import { checkFormContent, checkFormSchema } from "../rules/form.js";
import { isRootUri, type RootFolder } from "../rules/roots.js";
import { checkSamplingMessages, type SamplingTurn } from "../rules/sampling.js";

/** Something a server wants to know from its client. */
export interface InputRequest {
  readonly method: string;
  readonly params?: object | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** What servers may ask in any revision; the tables of one without it do not tell that from what nobody knows. */
const inputRequestMethods: readonly string[] = [ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE];

/**
 * Finds the row by which a question's answer is read.
 * @throws MissingRequiredClientCapabilityError when the client did not declare what the question needs, or the revision
 *   does not have it
 * @throws SdkError `CANNOT_ASK` when the question itself is not legal
 */
export function checkInputRequest(side: Side, capabilities: Capabilities, request: InputRequest): ResultDescriptor {
  const { method } = request;
  const { profile, receives } = side;
  const rows = profile.serverRequests === "wire" ? receives.results : receives.answers;
  const row = ownMember(rows, method);
  if (!row && !inputRequestMethods.includes(method))
    throw new SdkError("CANNOT_ASK", `${method}: there is no such question`);
  const missing = row && missingClientCapability(side, capabilities, row, request);
  if (row && missing === undefined) {
    throwIfProblem(request, inputRequestProblem(side, request));
    return row;
  }
  const path = missing ?? `client.${method.split("/", 1)[0] ?? method}`;
  const code = profile.opening === "stateless" ? profile.missingCapabilityCode : ErrorCode.InvalidParams;
  const message = `The client does not offer ${path.slice("client.".length)}, which this needs`;
  throw new MissingRequiredClientCapabilityError(code, message, capabilityTree(path));
}

/** What a question needs that was not declared: `client.<path>`. */
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

/** What a question needs that is not in the capability tables: modes and tools came into being one by one. */
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
  // Any object stands for forms but one that names the other mode only, whatever the session's revision.
  return isObject(modes) && modes["url"] && !modes["form"] ? "client.elicitation.form" : undefined;
}

/** @throws SdkError `CANNOT_ASK` when a question that nothing converts any more is not legal */
export function checkConvertedInputRequest(side: Side, request: InputRequest): void {
  throwIfProblem(request, inputRequestProblem(side, request));
  const { messages } = (request.params ?? {}) as { readonly messages: readonly Members[] };
  const single = request.method === SAMPLING_CREATE_MESSAGE && !side.profile.samplingTools;
  if (single && messages.some(({ content }) => Array.isArray(content)))
    throwIfProblem(request, "Give each message one block of content.");
}

function throwIfProblem({ method }: InputRequest, problem: string | undefined): void {
  if (problem !== undefined) throw new SdkError("CANNOT_ASK", `${method}: ${problem}`);
}

function inputRequestProblem({ profile }: Side, { method, params }: InputRequest): string | undefined {
  const { messages, maxTokens, message, mode, url, requestedSchema } = (params ?? {}) as Members;
  if (method === SAMPLING_CREATE_MESSAGE) {
    if (!Array.isArray(messages) || !messages.every(isObject)) return "messages must be a list of messages";
    if (!Number.isFinite(maxTokens)) return "maxTokens must be a number";
    return checkSamplingMessages(messages as unknown as readonly SamplingTurn[]);
  }
  if (method !== ELICITATION_CREATE) return undefined;
  if (mode === "url") return urlElicitationProblem({ message, url });
  if (typeof message !== "string") return "message must be text";
  if (mode !== undefined && mode !== "form") return "mode must be form or url";
  return checkFormSchema(requestedSchema, { multiSelect: profile.elicitation === "formAndUrl" });
}

/** What is wrong with the answer to a question; undefined when nothing is. */
export function inputResponseProblem(
  row: ResultDescriptor,
  { method, params }: InputRequest,
  response: unknown,
): string | undefined {
  if (!row.result(response)) return "it does not have the shape of an answer to this question";
  const { mode, requestedSchema } = (params ?? {}) as Members;
  const { action, content, roots } = response as Members;
  if (method === ROOTS_LIST) {
    const index = (roots as readonly RootFolder[]).findIndex(({ uri }) => !isRootUri(uri));
    return index < 0 ? undefined : `/roots/${index}/uri: must be a file: URI`;
  }
  if (method !== ELICITATION_CREATE || mode === "url" || action !== "accept") return undefined;
  const [issue] = checkFormContent(requestedSchema, content);
  return issue && `/${issue.path.join("/")}: ${issue.message}`;
}

/** A checked answer as handlers see it: nobody has checked content but that of an accepted form. */
export function acceptedInputResponse({ method, params }: InputRequest, response: object): object {
  const { content, ...rest } = response as Members;
  const legal = rest["action"] === "accept" && (params as Members | undefined)?.["mode"] !== "url";
  return method !== ELICITATION_CREATE || legal || content === undefined ? response : rest;
}
