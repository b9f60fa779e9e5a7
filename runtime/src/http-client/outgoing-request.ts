import type { JSONRPCMessage, Params } from "../jsonrpc/message-types.js";

/** A request of a link, before headers of the user and of authorization are added. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What the body contains. */
  readonly message?: JSONRPCMessage | readonly JSONRPCMessage[];
  readonly signal: AbortSignal;
}

/** The methods of a message or batch and what they address, such as `tools/call deploy`. */
export function operationOf(message: OutgoingRequest["message"]): string | undefined {
  const operations = ([message].flat() as readonly (JSONRPCMessage | undefined)[]).flatMap((one) => {
    const { method, params } = (one ?? {}) as { readonly method?: string; readonly params?: Params };
    if (method === undefined) return [];
    const target = [params?.["name"], params?.["uri"]].find((name) => typeof name === "string");
    return [target === undefined ? method : `${method} ${target}`];
  });
  return operations.length === 0 ? undefined : operations.join(", ");
}
