import type { JSONRPCMessage, JSONRPCNotification } from "../jsonrpc/message-types.js";

/** A request of a link, before headers of the user and of authorization are added. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The message that the body contains, or that needs the response. */
  readonly message?: JSONRPCMessage | readonly JSONRPCMessage[];
  readonly signal: AbortSignal;
  /** Called when it has to wait for an authorization; the returned function, when it goes on. */
  readonly onWait?: () => () => void;
}

/** The method of a message, or of the first one of a batch, and what it addresses, such as `tools/call deploy`. */
export function operationOf(message: OutgoingRequest["message"]): string | undefined {
  const { method, params } = ([message].flat()[0] ?? {}) as Partial<JSONRPCNotification>;
  const target = params?.["name"] ?? params?.["uri"];
  return typeof target === "string" ? `${method} ${target}` : method;
}
