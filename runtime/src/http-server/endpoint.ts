import { INITIALIZE, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { faultTo } from "../engine/author-hooks.js";
import { claims } from "../engine/batch.js";
import { checkNumbers } from "../engine/check-options.js";
import { ErrorCode, ProtocolError, SdkError, UnsupportedProtocolVersionError } from "../engine/errors.js";
import {
  envelopeProblem,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from "../engine/json-rpc.js";
import { depthProblem } from "../engine/json-depth.js";
import { ACCEPT, CONTENT_TYPE, JSON_TYPE, PROTOCOL_VERSION, SESSION_ID, SSE_TYPE } from "../http/headers.js";
import type { Server } from "../server/server.js";
import { accepts } from "./accepts.js";
import { Access } from "./access.js";
import { Exchange } from "./exchange.js";
import { LegacySession } from "./legacy-session.js";
import type { McpHandlerOptions } from "./options.js";
import { Refusal, refuse, requestIds, shuttingDown, tooMany } from "./replies.js";
import type { HttpEndpoint, HttpRequest, Responder } from "./request.js";
import { HttpSession } from "./session.js";
import { isPrincipal, ownerOf, Sessions } from "./sessions.js";
import { Streams } from "./streams.js";

/** Names the stream in the URL that a client of HTTP+SSE posts to; URLs of hosts may have a `sessionId` of their own. */
const streamParam = "sseSession";

/**
 * HTTP without a host: takes a request's head and body and answers it, in whatever form of HTTP the client speaks. Which one
 * that is, each request tells by itself (MCP 2026-07-28, transports: backward compatibility).
 */
export class Endpoint implements HttpEndpoint {
  readonly access: Access;
  readonly sessions: Sessions;
  /** They are as many as streams may be. */
  readonly legacySessions = new Map<string, LegacySession>();
  readonly streams: Streams;
  /** How many requests are being served that belong to no session. */
  exchanges = 0;
  readonly maxBodyBytes: number;
  readonly maxQueuedBytes: number;
  readonly #maxRequests: number;
  readonly #hasSessions: boolean;
  readonly #hasLegacySse: boolean;
  /** No handshake-era revision that is served has Streamable HTTP. */
  readonly #hasOnlyLegacySse: boolean;
  #draining: Promise<void> | undefined;

  constructor(
    readonly server: Server,
    readonly options: McpHandlerOptions,
  ) {
    const { sessions = true } = options;
    checkNumbers(options, sessions);
    const { handshake, all } = server.revisions;
    this.access = new Access(options);
    this.streams = new Streams(options);
    this.sessions = new Sessions(typeof sessions === "object" ? sessions : {});
    this.maxBodyBytes = options.maxBodyBytes ?? 2 ** 22;
    this.maxQueuedBytes = options.maxQueuedBytes ?? 2 ** 24;
    this.#maxRequests = options.maxRequests ?? 10_000;
    this.#hasSessions = sessions !== false && handshake.some(({ profile }) => profile.session);
    this.#hasLegacySse =
      options.legacySse ?? (sessions !== false && all.some(({ profile }) => profile.httpTransport === "sse"));
    this.#hasOnlyLegacySse = this.#hasLegacySse && handshake.every(({ profile }) => profile.httpTransport === "sse");
  }

  wantsBody(request: HttpRequest, responder: Responder): boolean {
    try {
      this.#checkHead(request);
      if (request.method === "POST") return true;
      this.#serveWithoutBody(request, responder);
    } catch (error) {
      this.#refuse(request, responder, error);
    }
    return false;
  }

  tooLarge(request: HttpRequest, responder: Responder): void {
    const message = `Content Too Large: a body may have ${this.maxBodyBytes} bytes`;
    this.#refuse(request, responder, new Refusal(413, message, { connection: "close" }));
  }

  /** @param body undefined: it is no UTF-8 */
  receiveText(request: HttpRequest, body: string | undefined, responder: Responder): void {
    const text = body ?? "";
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      const error = new ProtocolError(ErrorCode.ParseError, "Parse error: the body is no JSON");
      return this.#refuse(request, responder, new Refusal(400, error));
    }
    const problem = depthProblem(text, this.options.maxDepth);
    if (problem === undefined) this.receive(request, message, responder);
    else this.#refuse(request, responder, new Refusal(400, problem), message);
  }

  receive(request: HttpRequest, message: unknown, responder: Responder): void {
    try {
      this.#post(request, message, responder);
    } catch (error) {
      this.#refuse(request, responder, error, message);
    }
  }

  #post(request: HttpRequest, message: unknown, responder: Responder): void {
    // What runs may wait for an answer.
    if (this.#draining && requestIds(message).length > 0) throw turnedAway();
    if (this.#hasLegacySse && this.#postLegacy(request, message, responder)) return;
    if (!accepts(request, JSON_TYPE, SSE_TYPE)) {
      const refusal = new Refusal(406, `Not Acceptable: ${ACCEPT} must list ${JSON_TYPE} and ${SSE_TYPE}`);
      return this.#refuse(request, responder, refusal);
    }
    if (Array.isArray(message)) return this.#postBatch(request, message, responder);
    const problem = envelopeProblem(message);
    if (problem) throw new Refusal(400, `Invalid Request: ${problem}`);
    const one = message as JSONRPCMessage;
    if (!("method" in one)) return this.#postToSession(request, one, responder);
    const version = request.header(PROTOCOL_VERSION);
    const modern = this.server.revisions.stateless;
    const claimed = modern.size > 0 && claims(one);
    // Of the handshake, the body decides; and what belongs to a session says so by its id.
    const isLegacy = "id" in one ? !claimed && one.method === INITIALIZE : this.#isInSession(request);
    if (isLegacy || (!claimed && !modern.has(version ?? ""))) return this.#postHandshake(request, one, responder);
    if (!("id" in one)) return new Exchange(this, request, responder).notify(one);
    if (!claimed) {
      const text = `Invalid params: _meta["${META_PROTOCOL_VERSION}"] and _meta["${META_CLIENT_CAPABILITIES}"] are missing`;
      throw new Refusal(400, new ProtocolError(ErrorCode.InvalidParams, text));
    }
    this.#mustHaveTurn();
    new Exchange(this, request, responder).run(one);
  }

  /** Refuses new requests, lets those that run finish, and ends all streams and sessions. */
  close(graceMs?: number): Promise<void> {
    return (this.#draining ??= this.#drain(graceMs));
  }

  async #drain(graceMs: number | undefined): Promise<void> {
    const own = [...this.server.connections].filter(
      ({ transport }) => (transport as { endpoint?: unknown }).endpoint === this,
    );
    await Promise.all(own.map((connection) => connection.shutdown(graceMs)));
  }

  /** Whether a request is served at all, as far as its head tells. */
  #checkHead(request: HttpRequest): void {
    const { method, principal } = request;
    const stranger = this.access.problem(request);
    if (stranger) throw new Refusal(403, stranger);
    if (principal && !isPrincipal(principal)) {
      // Whoever handed it over has to mend it; taken as it is, the sessions of several users would be those of one.
      const message = "a principal needs an issuer and a subject, both texts that are not empty";
      faultTo(this.server.options, new SdkError("INVALID_CONFIGURATION", message, principal));
      throw new Refusal(500, new ProtocolError(ErrorCode.InternalError, "Internal error"));
    }
    const problem = method === "POST" && bodyProblem(request);
    if (problem) throw new Refusal(415, `Unsupported Media Type: ${problem}`);
  }

  #serveWithoutBody(request: HttpRequest, responder: Responder): void {
    const { method } = request;
    if (method === "OPTIONS") return responder.answer(204, { allow: this.#allowed, ...this.access.preflight(request) });
    if ((method !== "GET" && method !== "DELETE") || !this.#allowed.includes(method)) throw this.#notAllowed();
    if (this.#draining) throw turnedAway();
    if (method === "GET") return this.#get(request, responder);
    void this.#session(request).connection.close();
    responder.answer(200, this.access.headers(request));
  }

  /** Whether one more request may be served that belongs to no session. */
  #mustHaveTurn(): void {
    if (this.exchanges >= this.#maxRequests) throw new Refusal(503, tooMany("requests"), { "retry-after": "1" });
  }

  get #allowed(): string {
    return this.#hasSessions ? "GET, POST, DELETE" : this.#hasLegacySse ? "GET, POST" : "POST";
  }

  #get(request: HttpRequest, responder: Responder): void {
    if (!accepts(request, SSE_TYPE)) throw new Refusal(406, `Not Acceptable: ${ACCEPT} must list ${SSE_TYPE}`);
    const isNamed = request.header(SESSION_ID) !== undefined || request.header(PROTOCOL_VERSION) !== undefined;
    if (this.#hasLegacySse && !isNamed) return this.#openLegacy(request, responder);
    if (!this.#hasSessions) throw this.#notAllowed();
    // A client that speaks 2024-11-05 here has taken over the rest of the transport, too.
    this.#session(request).get(request, responder);
  }

  #postBatch(request: HttpRequest, messages: readonly unknown[], responder: Responder): void {
    const isLegal = !messages.some(claims) && this.server.revisions.handshake.some(({ profile }) => profile.batch);
    const problem = messages.length === 0 ? "the batch is empty" : isLegal ? undefined : "this revision has no batches";
    if (problem) throw new Refusal(400, `Invalid Request: ${problem}`);
    const session = this.#sessionFor(request);
    const malformed = messages.map(envelopeProblem).find(Boolean);
    if (session.profile?.batch && (!malformed || requestIds(messages).length > 0))
      return session.post(request, messages, responder);
    if (session.isBrief) void session.close();
    throw new Refusal(400, `Invalid Request: ${malformed ?? "this revision has no batches"}`);
  }

  #postHandshake(request: HttpRequest, message: JSONRPCRequest | JSONRPCNotification, responder: Responder): void {
    const isOpening = "id" in message && message.method === INITIALIZE;
    if (this.server.revisions.handshake.length === 0)
      throw this.#unsupported(isOpening ? message.params?.["protocolVersion"] : request.header(PROTOCOL_VERSION));
    // Clients that find this out look for the older transport; here they would miss all that comes unasked.
    if (this.#hasOnlyLegacySse) throw new Refusal(400, "Bad Request: open the event stream with GET first");
    if (!isOpening || this.#isInSession(request)) return this.#postToSession(request, message, responder);
    if (!this.#hasSessions) this.#mustHaveTurn();
    else if (this.sessions.isFull) throw new Refusal(503, tooMany("sessions"), { "retry-after": "60" });
    const session = new HttpSession(this, this.#hasSessions ? crypto.randomUUID() : "", request);
    if (this.#hasSessions) this.sessions.add(session);
    session.post(request, message, responder);
  }

  #postToSession(request: HttpRequest, message: JSONRPCMessage, responder: Responder): void {
    if (!this.#hasSessions && !("method" in message))
      throw new Refusal(400, "Invalid Request: nothing was asked that this could answer");
    this.#sessionFor(request).post(request, message, responder);
  }

  #isInSession(request: HttpRequest): boolean {
    return this.sessions.get(request.header(SESSION_ID) ?? "") !== undefined;
  }

  /** The session that is to handle a message. */
  #sessionFor(request: HttpRequest): HttpSession {
    return this.#hasSessions ? this.#session(request) : this.#brief(request);
  }

  /** The session that a request names. */
  #session(request: HttpRequest): HttpSession {
    const version = request.header(PROTOCOL_VERSION);
    if (version !== undefined && !this.server.revisions.ids.includes(version)) throw this.#unsupported(version);
    const id = request.header(SESSION_ID);
    if (id === undefined) throw new Refusal(400, `Bad Request: ${SESSION_ID} is missing; call ${INITIALIZE} first`);
    return owned(this.sessions.get(id), request);
  }

  /** A session for one request, for servers that keep none. */
  #brief(request: HttpRequest): HttpSession {
    const { handshake } = this.server.revisions;
    const version = request.header(PROTOCOL_VERSION);
    // Before 2025-06-18 there was no version header.
    const side =
      version === undefined
        ? (handshake.find(({ profile }) => profile.session && profile.versionHeader === "none") ?? handshake.at(0))
        : handshake.find(({ revision }) => revision === version);
    if (!side) throw this.#unsupported(version);
    this.#mustHaveTurn();
    const session = new HttpSession(this, "", request);
    session.connection.assume(side);
    return session;
  }

  #openLegacy(request: HttpRequest, responder: Responder): void {
    if (!this.streams.hasRoom()) throw new Refusal(503, "Too many streams");
    const id = crypto.randomUUID();
    // Keys and the like that the client wrote into its URL are needed again.
    const [path = "", search] = request.url.split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    query.set(streamParam, id);
    this.legacySessions.set(id, new LegacySession(this, id, request, responder, `${path}?${query.toString()}`));
  }

  /** Returns whether the request says that it belongs to a stream of HTTP+SSE; then it is answered. */
  #postLegacy(request: HttpRequest, message: unknown, responder: Responder): boolean {
    const at = request.url.indexOf("?");
    const id = at < 0 ? null : new URLSearchParams(request.url.slice(at)).get(streamParam);
    if (id === null) return false;
    const session = this.legacySessions.get(id);
    if (!session && claims(message)) return false;
    owned(session, request).post(request, message, responder);
    return true;
  }

  #unsupported(requested: unknown): Refusal {
    const { ids, versionCode } = this.server.revisions;
    const named = typeof requested === "string" ? requested.slice(0, 100) : "unknown";
    return new Refusal(400, new UnsupportedProtocolVersionError(versionCode, ids, named));
  }

  #notAllowed(): Refusal {
    return new Refusal(405, "Method Not Allowed", { allow: this.#allowed });
  }

  /** Answers what was refused. */
  #refuse(request: HttpRequest, responder: Responder, error: unknown, to?: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    refuse(responder, error, this.access.headers(request), to);
  }
}

function turnedAway(): Refusal {
  return new Refusal(503, shuttingDown(), { "retry-after": "1" });
}

/** A session, if whoever sends the request is the one who opened it. */
function owned<Session extends { readonly owner: string | undefined }>(
  session: Session | undefined,
  { principal }: HttpRequest,
): Session {
  if (!session || session.owner !== ownerOf(principal)) throw new Refusal(404, "Session not found");
  return session;
}

/** Why the body of a POST is not read. */
function bodyProblem(request: HttpRequest): string | undefined {
  const type = request.header(CONTENT_TYPE);
  if (type !== JSON_TYPE && type?.split(";", 1)[0]?.trim().toLowerCase() !== JSON_TYPE)
    return `${CONTENT_TYPE} must be ${JSON_TYPE}`;
  return (request.header("content-encoding") ?? "identity") === "identity"
    ? undefined
    : "bodies must not be compressed";
}
