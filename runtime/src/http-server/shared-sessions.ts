import type { Change } from "../connection/change.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { HttpHeaders, HttpRequest, Responder } from "./host-adapter.js";
import type { KeptAliveStream } from "./kept-alive-stream.js";
import type { SessionChange, SessionRecord } from "./session-record.js";
import type { ClientKey } from "./shared-limit.js";

/** The handshake-era sessions of a server, which each of its nodes can serve. */
export interface SharedSessions {
  /** Reads a session that another node may have opened. @param id as a client sent it */
  find(id: string): Promise<SessionRecord | undefined>;
  /** Lets a session of this node take part. */
  attach(session: NodeSession): SharedSession;
}

/** The members of an endpoint that the streams of shared sessions use. */
export interface SessionEndpoint {
  /** Whether the endpoint shuts down. */
  readonly isDraining: boolean;
  readonly options: { readonly retryInterval?: number };
  readonly originPolicy: { headers(request: HttpRequest): HttpHeaders };
  readonly maxQueuedBytes: number;
  readonly streams: {
    hasRoom(client: ClientKey): boolean;
    keepAlive(stream: KeptAliveStream): void;
    addStanding(stream: KeptAliveStream, request: HttpRequest): void;
    release(stream: KeptAliveStream): void;
  };
}

/** A session at this node. */
export interface NodeSession {
  readonly sessionId: string;
  readonly endpoint: SessionEndpoint;
  readonly client: ClientKey;
  /** Milliseconds after which the session ends unless it is used. */
  readonly idleMs: number;
  /** Whether clients give the id of the last event that they received when they reconnect. */
  readonly isResumable: boolean;
  /** Whether new streams begin with an event that has an id, but no data. */
  readonly isPolling: boolean;
  /** Whether the client has sent `notifications/initialized`, as far as this node knows; undefined before `initialize`. */
  readonly isInitialized: boolean | undefined;
  /** Whether this node handles the request with this id. */
  handles(id: unknown): boolean;
  /** Whether this node still sends messages on the stream of a POST. */
  isStreaming(id: string): boolean;
  /** Called with the record after another node has changed it. */
  onChanged(record: SessionRecord): void;
  /** Handles a message of the client that reached another node. */
  deliver(message: JSONRPCMessage): void;
  /** Notifies the client of a change, if it wants to know about it. */
  notifyChanged(change: Change): void;
  /** Ends the HTTP response that carries a stream, because the client continues it elsewhere. */
  detachStream(id: string): void;
  /** Ends the session at this node; called when another one has ended it. */
  release(): Promise<void>;
  report(error: unknown): void;
}

/** What a session of this node shares with other nodes. Methods that return a promise reject with a `BackplaneError`. */
export interface SharedSession {
  /** Begins the ids of streams and requests that this node sends in the session. */
  readonly idPrefix: string;
  /** Whether a client reads messages that belong to no request, at any node. */
  readonly isReachable: boolean;
  /** Whether a client reads them at this node. */
  readonly isListening: boolean;
  /** Called with the record of a session that another node has opened, as `find` returned it. */
  restore(record: SessionRecord): void;
  /** Makes the session known to other nodes. */
  create(record: SessionRecord): Promise<void>;
  /** Makes a change known to other nodes, and keeps the session. */
  change(change: SessionChange): Promise<void>;
  /** Keeps the session for the time after which it ends unless it is used. */
  keep(): void;
  /**
   * Called before a request of the client is handled: keeps the session.
   * @returns a promise that resolves once this node knows what others have changed: to false when the session has ended
   */
  use(): Promise<boolean> | undefined;
  /**
   * Receives a message of the client, or a batch: passes on what concerns other nodes.
   * @param deliver called with what is for this node
   * @returns a promise when the response must wait
   */
  receive(message: unknown, deliver: (message: unknown) => void): Promise<unknown> | undefined;
  /** Sends a message that belongs to no request. @param text its JSON text */
  send(text: string): Promise<void>;
  /** Opens a stream for messages that belong to no request, or continues a stream of any node. @throws HttpRejection */
  get(request: HttpRequest, responder: Responder): Promise<void>;
  /**
   * Closes responses to GETs at all nodes, so that the client reconnects later.
   * @param streamId the stream of a POST that they continue; undefined: those for messages that belong to no request
   */
  closeStreams(streamId: string | undefined, retryMs: number | undefined): void;
  /** Ends the session, at every node. */
  end(): Promise<void>;
  /** Ends it at this node only. */
  release(): void;
}
