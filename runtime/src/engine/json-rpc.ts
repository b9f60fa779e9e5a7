import type { RequestId } from "@mcpwright/protocol/contract";

/** A message that wants an answer (JSON-RPC 2.0, section 4). */
export interface JSONRPCRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params;
}

/** A message that gets no answer. */
export interface JSONRPCNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Params;
}

export interface JSONRPCResultResponse {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: object;
}

/** `id` is absent when that of the request could not be read. */
export interface JSONRPCErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly error: JSONRPCErrorObject;
}

export interface JSONRPCErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/** By-name params; MCP has no others. */
export type Params = Readonly<Record<string, unknown>> & { readonly _meta?: Meta };

/** The metadata of a message. */
export type Meta = Readonly<Record<string, unknown>>;

/** The key of a result's JSON text, for results that are sent many times as they are. */
// Of the registry, because several entries may hold this module.
export const JSON_TEXT: unique symbol = Symbol.for("@mcpwright/runtime JSON text") as never;

/** A message or a batch as JSON text. Results that know their text are not printed again. */
export function serialize(message: JSONRPCMessage | readonly JSONRPCMessage[]): string {
  if ("result" in message) {
    const text = (message.result as { readonly [JSON_TEXT]?: string })[JSON_TEXT];
    if (text !== undefined) return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${text}}`;
  }
  return JSON.stringify(message);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that an object itself has: what peers send as a name may be that of something every object has. */
export function ownMember<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Ids are strings or integers (MCP, basic protocol: requests); an integer that was rounded could be that of another request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** What keeps a value from being a message (JSON-RPC 2.0, sections 4 and 5; MCP, basic protocol). */
export function envelopeProblem(message: unknown): string | undefined {
  if (!isObject(message) || message["jsonrpc"] !== "2.0")
    return 'it is not a JSON-RPC 2.0 message ("jsonrpc" must be "2.0")';
  const { id, method, params, result, error } = message;
  if (method === undefined)
    return id === undefined && result === undefined && error === undefined
      ? "it has neither method nor result nor error"
      : undefined;
  if (id !== undefined && !isRequestId(id)) return "id must be a string or an integer";
  if (typeof method !== "string") return "method must be a string";
  return params === undefined || isObject(params) ? undefined : "params must be an object";
}
