import type { RequestId } from "@mcpwright/protocol/contract";
import type { Change } from "../connection/change.js";
import type { Params } from "../jsonrpc/message-types.js";
import type { Principal } from "../transport/principal.js";
import type { Transport } from "../transport/transport.js";
import type { StateKey } from "../request-state/state-sealer.js";
import type { ResumptionOptions } from "./resumption-options.js";
import type { SessionData } from "./session-data.js";
import type { SharedSessions } from "./shared-sessions.js";
import type { SseStreams } from "./sse-streams.js";

/** A value, or a promise of it. */
type MaybePromise<Value> = Value | Promise<Value>;

/** The part of a backplane that servers use: the class `Backplane` of `@mcpwright/runtime/backplane` implements it. */
export interface ServerBackplane {
  /** Milliseconds by which the clock of the backplane is ahead of that of this process. @internal */
  readonly clockOffsetMs: number;
  /** Reads a value. */
  get(key: string): MaybePromise<unknown>;
  /** Keeps the messages of streams. @internal */
  streamEvents(options: ResumptionOptions): StreamEvents;
  /** Connects a server with the servers of the same name at other nodes. @internal */
  connectServer(server: SharedServer): ServerNode;
  /** Marks an id as used, for all nodes. Returns false when it was used before. @internal */
  useOnce(id: string, ttlMs: number): MaybePromise<boolean>;
}

/** A server at one of several nodes. */
export interface SharedServer {
  readonly name: string;
  /** Notifies the clients of this node of a change at another one. */
  readonly deliver: (change: Change) => void;
  /** Serves a request that another node passes on. */
  readonly accept: (transport: Transport) => void;
  readonly stateKeys: readonly StateKey[] | undefined;
  /** The registered tools. */
  readonly tools?: Iterable<{ readonly definition: { readonly name: string } }> | undefined;
  readonly onerror: (error: unknown) => void;
}

/** A server as other nodes see it. */
export interface ServerNode {
  /** Identifies the server among those of its name. */
  readonly id: string;
  readonly sseStreams: SseStreams;
  /** Publishes a change of this node. A failure is reported. */
  publish(change: Change): void;
  /**
   * Lets the server of another node handle a request.
   * @param state the content of its `requestState`
   * @returns the result, as it is sent to the client
   * @throws ProtocolError the error with which the other server responds; -32603 when it does not respond
   */
  forward(node: string, call: ForwardedCall, state: object): Promise<object>;
  /**
   * The data of handlers for a session, which every node can read and change.
   * @param idleMs milliseconds after which the session ends unless it is used; the data is kept at least as long
   */
  sessionData(sessionId: string, idleMs: number): SessionData;
  /** The sessions of the server, which every node can serve. */
  readonly sessions: SharedSessions;
  /** Begins to shut down: calls that other nodes handle end, and sessions that are closed here stay open for other nodes. */
  drain(): void;
  /** Ends the messages from other nodes. */
  end(): void;
}

/** A request whose handler waits at another node. */
export interface ForwardedCall {
  readonly method: string;
  readonly params: Params | undefined;
  readonly principal: Principal | undefined;
  readonly requestId: RequestId;
  /** Aborted when the client no longer waits. */
  readonly signal: AbortSignal;
  readonly connection: { notifyInBackground(method: string, params: object | undefined, relatedTo: RequestId): void };
}

/**
 * Keeps the messages that were sent on streams, for clients that reconnect (MCP 2025-03-26 to 2025-11-25, transports: resumability). An
 * error that it throws is reported and ends the stream.
 */
export interface StreamEvents {
  /**
   * Stores an event. Returns its id.
   * @param text the message as JSON text
   * @param requests the ids of the requests of the stream, which get an error when their node dies
   */
  store(streamId: string, text: string, requests: readonly RequestId[]): MaybePromise<string>;
  /**
   * Marks a stream as complete.
   * @param failed the ids of the requests that get an error first, because an event could not be stored
   */
  end(streamId: string, failed?: readonly RequestId[]): MaybePromise<unknown>;
}
