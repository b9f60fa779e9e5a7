import type { JSONRPCMessage } from "./message-types.js";

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
