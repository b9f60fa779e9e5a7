import type { RequestId } from "@mcpwright/protocol/contract";
import { isChange } from "../connection/change.js";
import { event, KEEP_ALIVE, namedEvent } from "../http/sse.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { Transport } from "../transport/transport.js";
import { baseBytes } from "./client-limits.js";
import type { EndpointContext } from "./endpoint-context.js";
import { HeldMemory } from "./held-memory.js";
import type { BodyWriter, HttpRequest, DisconnectListener, Responder } from "./host-adapter.js";
import type { HostedConnection } from "./hosted-server.js";
import { PendingChanges } from "./pending-changes.js";
import { principalKey } from "./principal-key.js";
import { busyRejection } from "./rejection.js";
import { requestIds } from "../jsonrpc/request-ids.js";
import { withSseHeaders } from "./response-headers.js";
import type { ClientKey } from "./shared-limit.js";
import type { SsePost } from "./sse-streams.js";

/**
 * A session of an HTTP+SSE client (MCP 2024-11-05): the client receives all messages on one stream and sends its own by
 * POST. The session ends with the stream.
 * @deprecated since 2025-03-26: clients should use Streamable HTTP
 */
export class LegacySseSession implements Transport, DisconnectListener {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  lastSentAt = 0;
  setIndex: number | undefined;
  readonly owner: string | undefined;
  readonly client: ClientKey;
  readonly connection: HostedConnection;
  readonly #writer: BodyWriter;
  readonly #memory: HeldMemory;
  /** The estimated memory of the requests in progress. */
  readonly #requests = new Map<RequestId, number>();
  #pendingChanges: PendingChanges | undefined;
  #open = true;

  /** @param postUrl the URL to which the client must send its messages */
  constructor(
    readonly endpoint: EndpointContext,
    readonly sessionId: string,
    request: HttpRequest,
    responder: Responder,
    postUrl: string,
  ) {
    this.owner = principalKey(request.principal);
    this.client = endpoint.limits.clientOf(request);
    this.#memory = new HeldMemory(endpoint.limits.memory, this.client);
    this.#memory.add(baseBytes);
    this.#writer = responder.startStream(200, withSseHeaders(endpoint.originPolicy.headers(request)));
    responder.disconnectListener = this;
    this.connection = endpoint.server.accept(this, request);
    this.#writer.write(namedEvent("endpoint", postUrl));
    endpoint.streams.addStanding(this, request);
  }

  /** Bytes that wait for the client. */
  get queuedBytes(): number {
    return this.#writer.queuedBytes;
  }

  onDisconnect(): void {
    this.#end();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Receives a message that the client has posted. @throws HttpRejection when there is no room for it */
  receive({ message, bytes, http, principal }: SsePost): void {
    const ids = requestIds(message);
    if (ids.length > 0) {
      if (!this.endpoint.limits.suspended.makeMemory(this.client, bytes)) throw busyRejection();
      this.#memory.add(bytes);
    }
    for (const id of ids) {
      this.requestDropped(id);
      this.#requests.set(id, bytes / ids.length);
    }
    this.onmessage?.(message, { http, principal });
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (!this.#open) throw new SdkError("NOT_CONNECTED", "the client has closed its stream");
    for (const one of [message].flat()) if (!("method" in one) && one.id !== undefined) this.requestDropped(one.id);
    this.#write(event(serialize(message)), !Array.isArray(message) && isChange(message as JSONRPCMessage));
  }

  watchDisconnect(): void {
    // It is watched from the start.
  }

  /** Called when a request has ended: frees its memory. */
  requestDropped(id: RequestId): void {
    this.#memory.add(-(this.#requests.get(id) ?? 0));
    this.#requests.delete(id);
  }

  reserve(bytes: number): boolean {
    return this.#memory.reserve(bytes);
  }

  sendKeepAlive(): void {
    this.#write(KEEP_ALIVE);
  }

  expire(): void {
    void this.close();
  }

  close(): Promise<void> {
    if (this.#open) this.#writer.end();
    this.#end();
    return Promise.resolve();
  }

  #write(text: string, isChange = false): void {
    if (this.#writer.queuedBytes > this.endpoint.maxQueuedBytes) {
      this.#writer.abort();
      return this.#end(new SdkError("LIMIT_EXCEEDED", "the client does not read its stream"));
    }
    this.#pendingChanges = PendingChanges.write(this.#writer, text, isChange, this.#pendingChanges);
    this.lastSentAt = performance.now();
  }

  #end(error?: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.endpoint.legacySessions.delete(this.sessionId);
    this.endpoint.streams.release(this);
    this.#memory.release();
    this.onclose?.(error);
  }
}
