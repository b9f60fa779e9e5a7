import type { RequestId } from "@mcpwright/protocol/contract";

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an own member of an object: a name sent by a peer may be that of an inherited member, such as `constructor`. */
export function ownMember<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Whether a value is a string or an integer (MCP, basic protocol: requests). A rounded integer could match another id. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Returns why a value is not a message; undefined when it is one (JSON-RPC 2.0, sections 4 and 5; MCP, basic protocol). */
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
