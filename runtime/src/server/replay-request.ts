import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { Implementation } from "../authoring.js";
import type { Capabilities } from "../connection/capability.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage, JSONRPCResponse } from "../jsonrpc/message-types.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { Transport } from "../transport/transport.js";
import { Session } from "./client-description.js";
import type { ServerContext } from "./contracts.js";
import type { ServerHost } from "./server-extension.js";

/** A request that a server has received before, perhaps in another process. */
export interface RecordedRequest {
  readonly method: string;
  /** The params; what `_meta` says of the client is replaced by the members below. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The revision by which the request was handled. */
  readonly revision: string;
  readonly capabilities: Capabilities;
  readonly info: Implementation | undefined;
  readonly principal: Principal | undefined;
}

/** The marks of replayed requests. */
const marks = new WeakMap<MessageExtra, unknown>();

/** Returns the `mark` of a request that `replayRequest` sent; undefined for requests of clients. */
export function markOf({ extra }: ServerContext): unknown {
  return extra && marks.get(extra);
}

/**
 * Lets a server handle a recorded request again, as if the same client had sent it: with validation and middleware. The handler
 * cannot reach a client: its notifications are dropped, and its requests fail.
 * @param mark identifies the request for the hooks of the extension, by `markOf`
 * @returns the response
 * @throws SdkError `NOT_IN_THIS_REVISION` when the server does not support the revision any more
 */
export async function replayRequest(
  server: ServerHost,
  request: RecordedRequest,
  mark: unknown,
): Promise<JSONRPCResponse> {
  const { method, revision, capabilities, info, principal } = request;
  const side = server.revisions.all.find((one) => one.revision === revision);
  if (!side) {
    const message = `${method} was not repeated: the server no longer supports ${revision}, in which it was received`;
    throw new SdkError("NOT_IN_THIS_REVISION", message);
  }
  const params = { ...request.params };
  const transport = new ReplayTransport();
  const connection = server.accept(transport);
  if (side.profile.opening === "handshake") {
    const session = new Session(
      side,
      capabilities,
      info,
      undefined,
      server.capabilitiesIn(side, principal !== undefined),
    );
    session.initialized = true;
    connection.openSession(session);
  } else
    params["_meta"] = {
      ...(params["_meta"] as object | undefined),
      [META_PROTOCOL_VERSION]: revision,
      [META_CLIENT_CAPABILITIES]: capabilities,
      ...(info && { [META_CLIENT_INFO]: info }),
    };
  const extra: MessageExtra = { principal };
  marks.set(extra, mark);
  try {
    return await transport.ask({ jsonrpc: "2.0", id: 1, method, params }, extra);
  } finally {
    await connection.close();
  }
}

/** A transport that delivers one request, and receives its response. */
class ReplayTransport implements Transport {
  // Handlers that wait for input outlive the connection.
  readonly isStateless = true;
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  #answer: ((response: JSONRPCResponse) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  ask(request: JSONRPCMessage, extra: MessageExtra): Promise<JSONRPCResponse> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
      this.onmessage?.(request, extra);
    });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (!("method" in message)) return this.#answer?.(message as JSONRPCResponse);
    if ("id" in message)
      throw new SdkError("CANNOT_ASK", `${message.method} was not sent: the request was repeated without its client`);
  }

  close(): Promise<void> {
    this.#fail?.(new SdkError("CONNECTION_CLOSED", "the server was closed before the repeated request was answered"));
    this.onclose?.();
    return Promise.resolve();
  }
}
