import { INITIALIZE, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { faultTo } from "../engine/author-hooks.js";
import { claims } from "../engine/batch.js";
import { checkNumbers } from "../engine/check-numbers.js";
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
import { refuse, shuttingDown, tooMany } from "./replies.js";
import type { HttpEndpoint, HttpHeaders, HttpRequest, Responder } from "./request.js";
import { HttpSession, requestIds } from "./session.js";
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
    const { method, principal } = request;
    const stranger = this.access.problem(request);
    if (stranger) this.#refuse(request, responder, 403, stranger);
    else if (principal && !isPrincipal(principal)) this.#unknownOwner(request, responder);
    else if (method === "POST") {
      const problem = bodyProblem(request);
      if (!problem) return true;
      this.#refuse(request, responder, 415, `Unsupported Media Type: ${problem}`);
    } else if (method === "OPTIONS") responder.answer(204, { allow: this.#allowed, ...this.access.preflight(request) });
    else if ((method !== "GET" && method !== "DELETE") || !this.#allowed.includes(method))
      this.#notAllowed(request, responder);
    else if (this.#draining) this.#turnAway(request, responder);
    else if (method === "GET") this.#get(request, responder);
    else this.#delete(request, responder);
    return false;
  }

  tooLarge(request: HttpRequest, responder: Responder): void {
    const message = `Content Too Large: a body may have ${this.maxBodyBytes} bytes`;
    this.#refuse(request, responder, 413, message, undefined, { connection: "close" });
  }

  /** @param body undefined: it is no UTF-8 */
  receiveText(request: HttpRequest, body: string | undefined, responder: Responder): void {
    const text = body ?? "";
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      const error = new ProtocolError(ErrorCode.ParseError, "Parse error: the body is no JSON");
      return this.#refuse(request, responder, 400, error);
    }
    const problem = depthProblem(text, this.options.maxDepth);
    if (problem === undefined) this.receive(request, message, responder);
    else this.#refuse(request, responder, 400, new ProtocolError(ErrorCode.InvalidRequest, problem), message);
  }

  receive(request: HttpRequest, message: unknown, responder: Responder): void {
    // What runs may wait for an answer.
    if (this.#draining && requestIds(message).length > 0) return this.#turnAway(request, responder, message);
    if (this.#hasLegacySse && this.#postLegacy(request, message, responder)) return;
    if (!accepts(request, JSON_TYPE, SSE_TYPE))
      return this.#refuse(request, responder, 406, `Not Acceptable: ${ACCEPT} must list ${JSON_TYPE} and ${SSE_TYPE}`);
    if (Array.isArray(message)) return this.#postBatch(request, message, responder);
    const problem = envelopeProblem(message);
    if (problem) return this.#refuse(request, responder, 400, `Invalid Request: ${problem}`, message);
    const one = message as JSONRPCMessage;
    if (!("method" in one)) return this.#postToSession(request, one, responder);
    const version = request.header(PROTOCOL_VERSION);
    const modern = this.server.revisions.perRequest;
    const claimed = modern.size > 0 && claims(one);
    // Of the handshake, the body decides; and what belongs to a session says so by its id.
    const isLegacy = "id" in one ? !claimed && one.method === INITIALIZE : this.#isInSession(request);
    if (isLegacy || (!claimed && !modern.has(version ?? ""))) return this.#postHandshake(request, one, responder);
    if (!("id" in one)) return new Exchange(this, request, responder).notify(one);
    if (!claimed) {
      const text = `Invalid params: _meta["${META_PROTOCOL_VERSION}"] and _meta["${META_CLIENT_CAPABILITIES}"] are missing`;
      return this.#refuse(request, responder, 400, new ProtocolError(ErrorCode.InvalidParams, text), one);
    }
    if (this.#hasTurn(request, responder, one)) new Exchange(this, request, responder).run(one);
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

  /** Whether one more request may be served; if not, it is answered. */
  #hasTurn(request: HttpRequest, responder: Responder, message: unknown): boolean {
    if (this.exchanges < this.#maxRequests) return true;
    this.#refuse(request, responder, 503, tooMany("requests"), message, { "retry-after": "1" });
    return false;
  }

  get #allowed(): string {
    return this.#hasSessions ? "GET, POST, DELETE" : this.#hasLegacySse ? "GET, POST" : "POST";
  }

  #get(request: HttpRequest, responder: Responder): void {
    const id = request.header(SESSION_ID);
    if (!accepts(request, SSE_TYPE))
      return this.#refuse(request, responder, 406, `Not Acceptable: ${ACCEPT} must list ${SSE_TYPE}`);
    if (id === undefined && this.#hasLegacySse && request.header(PROTOCOL_VERSION) === undefined)
      return this.#openLegacy(request, responder);
    if (!this.#hasSessions) return this.#notAllowed(request, responder);
    // A client that speaks 2024-11-05 here has taken over the rest of the transport, too.
    this.#session(request, responder)?.get(request, responder);
  }

  #delete(request: HttpRequest, responder: Responder): void {
    const session = this.#session(request, responder);
    if (!session) return;
    void session.connection.close();
    responder.answer(200, this.access.headers(request));
  }

  #postBatch(request: HttpRequest, messages: readonly unknown[], responder: Responder): void {
    const isLegal = !messages.some(claims) && this.server.revisions.handshake.some(({ profile }) => profile.batch);
    const problem = messages.length === 0 ? "the batch is empty" : isLegal ? undefined : "this revision has no batches";
    if (problem) return this.#refuse(request, responder, 400, `Invalid Request: ${problem}`);
    const session = this.#sessionFor(request, responder);
    if (!session) return;
    const malformed = messages.map(envelopeProblem).find(Boolean);
    if (session.profile?.batch && (!malformed || requestIds(messages).length > 0))
      return session.post(request, messages, responder);
    this.#refuse(request, responder, 400, `Invalid Request: ${malformed ?? "this revision has no batches"}`);
    if (session.isBrief) void session.close();
  }

  #postHandshake(request: HttpRequest, message: JSONRPCRequest | JSONRPCNotification, responder: Responder): void {
    const isOpening = "id" in message && message.method === INITIALIZE;
    if (this.server.revisions.handshake.length === 0) {
      const given = isOpening ? message.params?.["protocolVersion"] : request.header(PROTOCOL_VERSION);
      return this.#unsupported(request, responder, given, message);
    }
    // Clients that find this out look for the older transport; here they would miss all that comes unasked.
    if (this.#hasOnlyLegacySse)
      return this.#refuse(request, responder, 400, "Bad Request: open the event stream with GET first", message);
    if (!isOpening || this.#isInSession(request)) return this.#postToSession(request, message, responder);
    if (this.#hasSessions && this.sessions.isFull)
      return this.#refuse(request, responder, 503, tooMany("sessions"), message, { "retry-after": "60" });
    if (!this.#hasSessions && !this.#hasTurn(request, responder, message)) return;
    const session = new HttpSession(this, this.#hasSessions ? crypto.randomUUID() : "", request);
    if (this.#hasSessions) this.sessions.add(session);
    session.post(request, message, responder);
  }

  #postToSession(request: HttpRequest, message: JSONRPCMessage, responder: Responder): void {
    if (!this.#hasSessions && !("method" in message))
      return this.#refuse(request, responder, 400, "Invalid Request: nothing was asked that this could answer");
    this.#sessionFor(request, responder, message)?.post(request, message, responder);
  }

  #isInSession(request: HttpRequest): boolean {
    return this.sessions.get(request.header(SESSION_ID) ?? "") !== undefined;
  }

  /** The session that is to handle a message; if there is none, the request is answered. */
  #sessionFor(request: HttpRequest, responder: Responder, message?: unknown): HttpSession | undefined {
    return this.#hasSessions ? this.#session(request, responder, message) : this.#brief(request, responder, message);
  }

  /** The session that a request names. */
  #session(request: HttpRequest, responder: Responder, message?: unknown): HttpSession | undefined {
    const version = request.header(PROTOCOL_VERSION);
    const id = request.header(SESSION_ID);
    if (version !== undefined && !this.server.revisions.ids.includes(version))
      this.#unsupported(request, responder, version, message);
    else if (id === undefined) {
      const problem = `Bad Request: ${SESSION_ID} is missing; call ${INITIALIZE} first`;
      this.#refuse(request, responder, 400, problem, message);
    } else {
      const session = this.sessions.get(id);
      if (session?.owner === ownerOf(request.principal) && session) return session;
      this.#refuse(request, responder, 404, "Session not found", message);
    }
    return undefined;
  }

  /** A session for one request, for servers that keep none. */
  #brief(request: HttpRequest, responder: Responder, message: unknown): HttpSession | undefined {
    const { handshake } = this.server.revisions;
    const version = request.header(PROTOCOL_VERSION);
    // Before 2025-06-18 there was no version header.
    const side =
      version === undefined
        ? (handshake.find(({ profile }) => profile.session && profile.versionHeader === "none") ?? handshake.at(0))
        : handshake.find(({ revision }) => revision === version);
    if (!side) this.#unsupported(request, responder, version, message);
    if (!side || !this.#hasTurn(request, responder, message)) return undefined;
    const session = new HttpSession(this, "", request);
    session.connection.assume(side);
    return session;
  }

  #openLegacy(request: HttpRequest, responder: Responder): void {
    if (!this.streams.hasRoom()) return this.#refuse(request, responder, 503, "Too many streams");
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
    if (session?.owner === ownerOf(request.principal) && session) session.post(request, message, responder);
    else this.#refuse(request, responder, 404, "Session not found", message);
    return true;
  }

  #unsupported(request: HttpRequest, responder: Responder, requested: unknown, to: unknown): void {
    const { ids, versionCode } = this.server.revisions;
    const named = typeof requested === "string" ? requested.slice(0, 100) : "unknown";
    this.#refuse(request, responder, 400, new UnsupportedProtocolVersionError(versionCode, ids, named), to);
  }

  #turnAway(request: HttpRequest, responder: Responder, message?: unknown): void {
    this.#refuse(request, responder, 503, shuttingDown(), message, { "retry-after": "1" });
  }

  /** Whoever handed it over has to mend it; taken as it is, the sessions of several users would be those of one. */
  #unknownOwner(request: HttpRequest, responder: Responder): void {
    const message = "a principal needs an issuer and a subject, both texts that are not empty";
    this.#refuse(request, responder, 500, new ProtocolError(ErrorCode.InternalError, "Internal error"));
    faultTo(this.server.options, new SdkError("INVALID_CONFIGURATION", message, request.principal));
  }

  #notAllowed(request: HttpRequest, responder: Responder): void {
    this.#refuse(request, responder, 405, "Method Not Allowed", undefined, { allow: this.#allowed });
  }

  #refuse(
    request: HttpRequest,
    responder: Responder,
    status: number,
    error: ProtocolError | string,
    to?: unknown,
    headers?: HttpHeaders,
  ): void {
    refuse(responder, status, error, { ...this.access.headers(request), ...headers }, to);
  }
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
