import type { RequestId, Side } from "@mcpwright/protocol/contract";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport } from "../transport/transport.js";

/** Observes clients and servers; `openTelemetry` of `@mcpwright/runtime/otel` returns one. */
export interface Telemetry {
  /** Called with each new connection. */
  observe(connection: ObservedConnection): ConnectionTelemetry;
}

/** A connection of a client or a server. */
export interface ObservedConnection {
  readonly transport: Transport;
  /** The server, with the revisions that it supports; undefined for a client. */
  readonly server?: { readonly revisions: { readonly ids: readonly string[] } };
  /** The revision that a client uses. */
  readonly side?: Side;
  /** The session that a server has opened. */
  readonly session?: { readonly side: Side } | undefined;
}

/** Observes the messages of one connection. Its functions throw nothing but the errors of the functions that they get. */
export interface ConnectionTelemetry {
  /**
   * Called with each message that is sent, and with the responses to a batch.
   * @param relatedTo the received request that the message belongs to
   * @param write sends the message, or a changed one
   * @returns what `write` returns
   */
  send(
    message: JSONRPCMessage | readonly JSONRPCMessage[],
    relatedTo: RequestId | undefined,
    write: (message: JSONRPCMessage | readonly JSONRPCMessage[]) => Promise<void> | void,
  ): Promise<void> | void;
  /** Called with each message that is received, valid or not; with those of a batch one by one. */
  receive(message: unknown, extra: MessageExtra | undefined, handle: () => void): void;
  /** Called when a sent request ends without a response. */
  fail(id: unknown, error: unknown): void;
  /** Called with each input request in a result, and with the `requestState` of that result. */
  handleInput<Response>(
    request: { readonly method: string; readonly params?: object },
    requestState: string | undefined,
    handle: () => Promise<Response>,
  ): Promise<Response>;
  /**
   * Called with each input request in a result whose response a handler awaits.
   * @param relatedTo the received request that the result responds to
   * @param wait returns the response
   */
  awaitInput<Response>(
    request: { readonly method: string; readonly params?: object | undefined },
    relatedTo: RequestId,
    wait: () => Promise<Response>,
  ): Promise<Response>;
  /** Called when the connection has ended; with an error unless it was closed. */
  end(error: Error | undefined): void;
}
