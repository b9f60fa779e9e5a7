import type { JSONRPCErrorObject, JSONRPCMessage, JSONRPCResponse } from "./message-types.js";

/** The key under which a result caches its JSON text, for results that are sent repeatedly without change. */
// From the global registry, because several entries may contain a copy of this module.
export const JSON_TEXT: unique symbol = Symbol.for("@mcpwright/runtime JSON text") as never;

/** Adds its JSON text to a result that is in the form of its revision: it is not converted again, and serialized once. */
export function withJsonText<Result extends object>(result: Result): Result {
  return Object.defineProperty(result, JSON_TEXT, { value: JSON.stringify(result) });
}

/** Serializes a message or a batch as JSON text. Uses the cached text of a result. */
export function serialize(message: JSONRPCMessage | readonly JSONRPCMessage[]): string {
  if ("result" in message) {
    const text = (message.result as { readonly [JSON_TEXT]?: string })[JSON_TEXT];
    if (text !== undefined) return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${text}}`;
  }
  return JSON.stringify(message);
}

/** Returns the responses with an error response in place of each that cannot be serialized. */
export function replaceUnserializable(
  responses: readonly JSONRPCResponse[],
  toErrorObject: (error: unknown) => JSONRPCErrorObject,
): JSONRPCResponse[] {
  return responses.map((response) => {
    try {
      serialize(response);
      return response;
    } catch (error) {
      const { jsonrpc, id } = response;
      return { jsonrpc, ...(id !== undefined && { id }), error: toErrorObject(error) };
    }
  });
}
