import type { HttpRequest, Responder } from "../http-server/host-adapter.js";
import { principalKey } from "../http-server/principal-key.js";
import { busyRejection, HttpRejection, shuttingDownRejection } from "../http-server/rejection.js";
import { requestIds } from "../jsonrpc/request-ids.js";
import type { SharedServer } from "../http-server/server-backplane.js";
import { SharedLimit } from "../http-server/shared-limit.js";
import type { SsePost, SseSessions, SseStreams } from "../http-server/sse-streams.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import { sealedState, StateSealer } from "../request-state/state-sealer.js";
import { unref } from "../timing/timer-delay.js";
import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import { BackplaneError } from "./backplane-error.js";
import type { NodeInbox } from "./node-inbox.js";
import type { NodeLiveness } from "./node-liveness.js";
import type { NodeMessage } from "./node-log.js";

/** After so many milliseconds without a response, the node of a stream is dead. */
const silenceMs = 15_000;
/** How often this node looks meanwhile whether that is known already, in milliseconds. A node that lives responds sooner. */
const lookMs = 2_000;
/** The ids that this library creates are shorter. */
const maxIdLength = 400;
/** The headers of a POST that handlers at another node can read. They contain no credentials. */
const passedHeaders = [
  ...["accept-language", "baggage", "content-type", "forwarded", "host", "mcp-protocol-version", "origin"],
  ...["traceparent", "tracestate", "user-agent", "via", "x-correlation-id", "x-forwarded-for", "x-forwarded-host"],
  ...["x-forwarded-proto", "x-real-ip", "x-request-id"],
];

/** A rejection as plain data. */
type SentRejection = Pick<HttpRejection, "status" | "error" | "headers">;

/** The streams of HTTP+SSE of a node, and the POSTs that arrive at another node than their stream. */
export class SharedSseStreams implements SseStreams {
  readonly #sealer: StateSealer;
  /** Those of the endpoints at this node. */
  readonly #sessions = new Set<SseSessions>();
  /** The POSTs that wait for the response of another node, by number. */
  readonly #waiting = new Map<number, (rejection: SentRejection | undefined) => void>();
  /** The POST of each stream that is sent last. */
  readonly #turns = new Map<string, Promise<void>>();
  /** The estimated memory of responses and notifications that wait, by endpoint. */
  readonly #responses = new WeakMap<SseSessions, SharedLimit>();
  #count = 0;
  #isReported = false;

  constructor(
    readonly inbox: NodeInbox,
    readonly liveness: NodeLiveness,
    readonly server: SharedServer,
  ) {
    this.#sealer = new StateSealer(server.stateKeys);
    inbox.on("sse-post", (message) => this.#receive(message));
    inbox.on("sse-post-received", ({ number, rejection }) =>
      this.#waiting.get(Number(number))?.(isObject(rejection) ? (rejection as unknown as SentRejection) : undefined),
    );
  }

  open(sessions: SseSessions, request: HttpRequest, responder: Responder): void {
    const payload = { node: this.inbox.node, id: crypto.randomUUID() };
    this.#respond(sessions, request, responder, undefined, async () => {
      // The id is sealed, so that nothing is sent for invented ones, and for those of other principals.
      const id = await this.#sealer.seal(payload, contextOf(request.principal));
      void this.liveness.begin();
      sessions.start(id, request, responder);
      this.#sessions.add(sessions);
    });
  }

  post(sessions: SseSessions, id: string, post: SsePost, request: HttpRequest, responder: Responder): boolean {
    if (id.length > maxIdLength || !sealedState.test(id)) return false;
    const { limits, originPolicy } = sessions.endpoint;
    const client = limits.clientOf(request);
    const isRequest = requestIds(post.message).length > 0;
    // Running handlers may wait for a response or notification, so requests leave room for these.
    const memory = isRequest ? limits.memory : this.#responsesOf(sessions);
    const hasRoom = isRequest
      ? limits.requests.hasRoom(client) && limits.suspended.makeMemory(client, post.bytes)
      : memory.hasRoom(client, post.bytes);
    if (!hasRoom) throw busyRejection();
    limits.requests.add(client);
    memory.add(client, post.bytes);
    this.#respond(sessions, request, responder, post.message, async () => {
      const rejection = await this.#passOn(id, post);
      limits.requests.add(client, -1);
      memory.add(client, -post.bytes);
      if (rejection) throw new HttpRejection(rejection.status, rejection.error, rejection.headers);
      responder.respond(202, originPolicy.headers(request));
    });
    return true;
  }

  end(): void {
    for (const settle of this.#waiting.values()) settle(shuttingDownRejection());
  }

  /** The limit of the responses and notifications of an endpoint: it is as high as that of its requests. */
  #responsesOf(sessions: SseSessions): SharedLimit {
    const { memory, share } = sessions.endpoint.limits;
    const responses = this.#responses.get(sessions) ?? new SharedLimit(memory.max, share);
    this.#responses.set(sessions, responses);
    return responses;
  }

  /** Passes a POST on to the node of its stream. Returns a promise, which never rejects, of why it is rejected. */
  #passOn(id: string, post: SsePost): Promise<SentRejection | undefined> {
    return new Promise((resolve) => {
      const number = this.#count++;
      let stopWaiting: (() => void) | undefined;
      const settle = (rejection: SentRejection | undefined): void => {
        stopWaiting?.();
        this.#waiting.delete(number);
        resolve(rejection);
      };
      this.#waiting.set(number, settle);
      const send = async (): Promise<void> => {
        try {
          const node = await this.#nodeOf(id, post.principal);
          // The server has been closed meanwhile.
          if (!this.#waiting.has(number)) return;
          if (node === undefined) {
            settle(notFound());
            return;
          }
          stopWaiting = this.#waitFor(node, () => settle(notFound()));
          await this.#send(node, number, id, post);
        } catch (error) {
          settle(this.#rejectionFor(error));
        }
      };
      const turn = (this.#turns.get(id) ?? Promise.resolve()).then(send).then(() => {
        if (this.#turns.get(id) === turn) this.#turns.delete(id);
      });
      this.#turns.set(id, turn);
    });
  }

  /** Calls a function when a node that has not responded is dead. Returns a function that ends it. */
  #waitFor(node: string, onDead: () => void): () => void {
    const look = async (): Promise<void> => {
      try {
        if (!(await this.liveness.isAlive(node))) onDead();
      } catch (error) {
        this.server.onerror(error);
      }
    };
    const looking = unref(setInterval(() => void look(), lookMs));
    const waiting = unref(setTimeout(onDead, silenceMs));
    return () => {
      clearInterval(looking);
      clearTimeout(waiting);
    };
  }

  /** Returns the node of a stream; undefined when the stream is not known to this node, or is that of another principal. */
  async #nodeOf(id: string, principal: Principal | undefined): Promise<string | undefined> {
    const opened = await this.#sealer.open(id, contextOf(principal));
    if (!opened && !this.server.stateKeys) this.#reportMissingKeys();
    const { node } = (opened ?? {}) as { readonly node?: unknown };
    return typeof node === "string" && node !== this.inbox.node ? node : undefined;
  }

  async #send(node: string, number: number, id: string, post: SsePost): Promise<void> {
    const { message, bytes, principal, http } = post;
    const headers = Object.fromEntries(passedHeaders.map((name) => [name, http.header(name)]));
    const { url, remoteAddress } = http;
    const request = { id, bytes, principal, url, remoteAddress, headers, message };
    await this.inbox.send(node, { type: "sse-post", number, from: this.inbox.node, ...request });
  }

  /** Receives a POST that arrived at another node. */
  #receive({ number, from, id, bytes, message, principal, ...request }: NodeMessage): void {
    const sent = { message, bytes: Number(bytes), principal: principal as Principal | undefined };
    const rejection = this.#rejectionOf(String(id), { ...sent, http: toRequestInfo(request) });
    const response = { type: "sse-post-received", number, rejection: rejection && toPlain(rejection) };
    this.inbox.send(String(from), response).catch(this.server.onerror);
  }

  /** Passes a POST to its stream. Returns why it is rejected. */
  #rejectionOf(id: string, post: SsePost): SentRejection | undefined {
    try {
      const sessions = this.#sessionsWith(id);
      if (!sessions) return notFound();
      if (sessions.endpoint.isDraining && requestIds(post.message).length > 0) return shuttingDownRejection();
      const { principal } = post;
      const { gate } = sessions.endpoint.streams;
      sessions.receive(id, { ...post, principal: principal && (gate?.restore?.(principal) ?? principal) });
      return undefined;
    } catch (error) {
      if (error instanceof HttpRejection) return error;
      this.server.onerror(error);
      return { status: 500, error: new ProtocolError(ErrorCode.InternalError, "Internal error") };
    }
  }

  #sessionsWith(id: string): SseSessions | undefined {
    for (const sessions of this.#sessions) {
      if (sessions.has(id)) return sessions;
      if (sessions.size === 0) this.#sessions.delete(sessions);
    }
    return undefined;
  }

  #respond(
    sessions: SseSessions,
    request: HttpRequest,
    responder: Responder,
    message: unknown,
    respond: () => Promise<void>,
  ): void {
    respond().catch((error: unknown) => {
      if (error instanceof HttpRejection) sessions.endpoint.refuseLate(request, responder, error, message);
      else this.server.onerror(error);
    });
  }

  #rejectionFor(error: unknown): SentRejection {
    if (error instanceof BackplaneError && error.reason === "too-large")
      return new HttpRejection(413, "Content Too Large: the message is too long for the backplane");
    this.server.onerror(error);
    const text = "The server is not available at the moment; try again later";
    return new HttpRejection(503, new ProtocolError(ErrorCode.InternalError, text), { "retry-after": "1" });
  }

  #reportMissingKeys(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const text =
      "a message for an HTTP+SSE stream of another node, or of none, was rejected; if the server has several nodes, give all of them the same stateKeys";
    this.server.onerror(new SdkError("INVALID_CONFIGURATION", text));
  }
}

function notFound(): HttpRejection {
  return new HttpRejection(404, "Session not found");
}

/** The message of an error is not part of its JSON text. */
function toPlain({ status, error, headers }: SentRejection): SentRejection {
  if (typeof error === "string") return { status, error, ...(headers && { headers }) };
  const { code, message, data } = error;
  return { status, error: { code, message, data }, ...(headers && { headers }) };
}

/** Binds the id of a stream to its principal. */
function contextOf(principal: Principal | undefined): string {
  return `sse ${principalKey(principal) ?? ""}`;
}

function toRequestInfo({ url, remoteAddress, headers }: NodeMessage): HttpRequestInfo {
  const known = new Map(Object.entries(isObject(headers) ? headers : {}));
  return {
    url: String(url),
    remoteAddress: remoteAddress as string | undefined,
    header: (name) => known.get(name) as string | undefined,
  };
}
