import { INITIALIZE, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { ACCEPT, JSON_TYPE, PROTOCOL_VERSION, SESSION_ID, SSE_TYPE } from "../http/headers.js";
import { ErrorCode, ProtocolError, SdkError, UnsupportedProtocolVersionError } from "../jsonrpc/errors.js";
import { envelopeProblem } from "../jsonrpc/guards.js";
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from "../jsonrpc/message-types.js";
import { type ParsedJson, parseJson } from "../jsonrpc/parse-json.js";
import { carriesProtocolVersion } from "../jsonrpc/protocol-version-meta.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { markHandled } from "../timing/mark-handled.js";
import { reportTo, reportUserErrorTo } from "../connection/error-reporting.js";
import { log } from "../connection/logger.js";
import { accepts } from "./accept-header.js";
import { assertOwner } from "./assert-owner.js";
import { bodyProblem } from "./body-problem.js";
import { valueBytes, withBoundedClient } from "./bounded-client.js";
import { baseBytes, ClientLimits } from "./client-limits.js";
import type { EndpointContext } from "./endpoint-context.js";
import type { HttpEndpoint, HttpRequest, Responder } from "./host-adapter.js";
import type { HostedServer } from "./hosted-server.js";
import type { AuthorizationGate } from "./http-authorization.js";
import { HttpSession } from "./http-session.js";
import { HttpSessions } from "./http-sessions.js";
import { LegacySseSessions } from "./legacy-sse-sessions.js";
import { OpenStreams } from "./open-streams.js";
import { legacyPostPath, type McpHandlerOptions } from "./options.js";
import { OriginPolicy } from "./origin-policy.js";
import { isValidPrincipal, principalKey } from "./principal-key.js";
import {
  busyRejection,
  HttpRejection,
  sendRejection,
  shuttingDownRejection,
  tooManySessionsRejection,
  unavailableRejection,
} from "./rejection.js";
import { requestIds } from "../jsonrpc/request-ids.js";
import { SessionLookup } from "./session-lookup.js";
import type { ClientKey } from "./shared-limit.js";
import { StatelessExchange } from "./stateless-exchange.js";
import type { StreamEvents } from "./server-backplane.js";

const missingAuthorization = "tools, resources or prompts have scopes: set the option authorization";

/** Less than of the other transports: many clients send messages at the same time. */
const defaultMaxValues = 50_000;

/**
 * An HTTP endpoint, independent of the host: takes the head and body of a request and sends the response. Each request
 * shows which HTTP transport the client uses (MCP 2026-07-28, transports: backward compatibility).
 */
export class Endpoint implements HttpEndpoint, EndpointContext {
  readonly originPolicy: OriginPolicy;
  readonly sessions: HttpSessions<HttpSession>;
  readonly legacySessions: LegacySseSessions;
  readonly streams: OpenStreams;
  readonly limits: ClientLimits;
  readonly maxBodyBytes: number;
  readonly maxQueuedBytes: number;
  readonly writeTimeoutMs: number;
  readonly events: StreamEvents | undefined;
  readonly #lookup: SessionLookup | undefined;
  /** How many requests were rejected, by status. */
  readonly refused: Record<number, number> = {};
  readonly #hasSessions: boolean;
  readonly #hasLegacySse: boolean;
  /** Whether no supported handshake-era revision has Streamable HTTP. */
  readonly #hasOnlyLegacySse: boolean;
  readonly #gate: AuthorizationGate | undefined;
  /** The rejection of every request while items with `scopes` are served without authorization; reported once. */
  #fault: HttpRejection | undefined;
  isDraining = false;
  #draining: Promise<void> | undefined;

  constructor(
    readonly server: HostedServer,
    readonly options: McpHandlerOptions,
  ) {
    const { sessions = true, resumption = true } = options;
    assertNumberOptions(options, sessions, resumption);
    const { handshake, all } = server.revisions;
    const { legacySse = sessions !== false && all.some(({ profile }) => profile.httpTransport === "sse") } = options;
    this.originPolicy = new OriginPolicy(options);
    this.#gate = options.authorization?.gateFor(server);
    if (!this.#gate && server.features?.isScoped) throw new SdkError("INVALID_CONFIGURATION", missingAuthorization);
    this.limits = new ClientLimits(server, options);
    const { share } = this.limits;
    this.streams = new OpenStreams(options, share, this.#gate);
    this.sessions = new HttpSessions(typeof sessions === "object" ? sessions : {}, share);
    this.maxBodyBytes = options.maxBodyBytes ?? 2 ** 22;
    this.maxQueuedBytes = options.maxQueuedBytes ?? 2 ** 24;
    this.writeTimeoutMs = options.writeTimeoutMs ?? 60_000;
    if (resumption) this.events = server.options.backplane?.streamEvents(resumption === true ? {} : resumption);
    this.#hasSessions = sessions !== false && handshake.some(({ profile }) => profile.session);
    if (this.#hasSessions && server.options.backplane) this.#lookup = new SessionLookup(this, this.sessions);
    this.#hasLegacySse = legacySse !== false;
    this.legacySessions = new LegacySseSessions(this, legacyPostPath(legacySse));
    this.#hasOnlyLegacySse = this.#hasLegacySse && handshake.every(({ profile }) => profile.httpTransport === "sse");
  }

  /** The number of requests being served that belong to no session. */
  get requestCount(): number {
    return this.limits.requests.total;
  }

  receiveHead(request: HttpRequest, responder: Responder): boolean | Promise<boolean> {
    const gate = this.#gate;
    const refusal = this.originPolicy.refusal(request, gate?.isPublic(request));
    const next = (rejection = refusal): boolean => this.#serveHead(request, responder, rejection);
    return gate && !refusal ? gate.receive(request, responder, next) : next();
  }

  /** Returns whether the request has a body, which should be read. */
  #serveHead(request: HttpRequest, responder: Responder, rejection: HttpRejection | undefined): boolean {
    const { method, principal } = request;
    try {
      if (rejection) throw rejection;
      // An invalid principal is a bug of the host. If it were accepted, several users could share sessions.
      if (principal && !isValidPrincipal(principal))
        throw this.#misconfigured("principal.issuer and principal.subject must be non-empty strings", principal);
      const problem = method === "POST" && bodyProblem(request);
      if (problem) throw new HttpRejection(415, `Unsupported Media Type: ${problem}`);
      if (method === "POST") return true;
      this.#afterLookup(request, responder, undefined, () => this.#serveWithoutBody(request, responder));
    } catch (error) {
      this.#refuse(request, responder, error);
    }
    return false;
  }

  /** Serves a request, once this node knows the session that it names. */
  #afterLookup(request: HttpRequest, responder: Responder, message: unknown, serve: () => void): void {
    const { server } = this;
    const made = server.prepare && !this.#isInSession(request) ? server.prepare(request, message) : undefined;
    const lookup = made ? made.then(() => this.#lookup?.prepare(request)) : this.#lookup?.prepare(request);
    if (!lookup) return serve();
    lookup.then(serve).catch((error: unknown) => this.refuseLate(request, responder, error, message));
  }

  #assertAuthorized(request: HttpRequest, message?: unknown): void {
    if (this.#gate) return this.#gate.assertAuthorized(request, message);
    if (this.server.features?.isScoped) throw (this.#fault ??= this.#misconfigured(missingAuthorization));
  }

  /** Reports a configuration that is not valid, and returns the rejection of a request because of it. */
  #misconfigured(message: string, data?: unknown): HttpRejection {
    reportUserErrorTo(this.server.options, new SdkError("INVALID_CONFIGURATION", message, data));
    return new HttpRejection(500, new ProtocolError(ErrorCode.InternalError, "Internal error"));
  }

  rejectTooLarge(request: HttpRequest, responder: Responder): void {
    const message = `Content Too Large: a body may have at most ${this.maxBodyBytes} bytes`;
    this.#refuse(request, responder, new HttpRejection(413, message, { connection: "close" }));
  }

  /** @param body undefined when it is not valid UTF-8 */
  receiveText(request: HttpRequest, body: string | undefined, responder: Responder): void {
    const { maxDepth, maxValues = defaultMaxValues } = this.options;
    let parsed: ParsedJson;
    try {
      parsed = parseJson(body ?? "", { maxDepth, maxValues });
    } catch {
      const error = new ProtocolError(ErrorCode.ParseError, "Parse error: the body is not valid JSON");
      return this.#refuse(request, responder, new HttpRejection(400, error));
    }
    const { problem, value, values = 0 } = parsed;
    const bytes = (body ?? "").length + valueBytes * values;
    if (problem === undefined) this.#receive(request, value, responder, bytes);
    else if (value === undefined)
      this.#refuse(request, responder, new HttpRejection(413, `Content Too Large: ${problem}`));
    else this.#refuse(request, responder, new HttpRejection(400, problem), value);
  }

  receiveMessage(request: HttpRequest, message: unknown, responder: Responder): void {
    this.#receive(request, message, responder, Number(request.header("content-length") ?? 0));
  }

  #receive(request: HttpRequest, message: unknown, responder: Responder, bytes: number): void {
    try {
      this.#afterLookup(request, responder, message, () =>
        this.#post(request, withBoundedClient(message), responder, bytes + baseBytes),
      );
    } catch (error) {
      this.#refuse(request, responder, error, message);
    }
  }

  /** @param bytes the estimated memory of the message */
  #post(request: HttpRequest, message: unknown, responder: Responder, bytes: number): void {
    this.#assertAuthorized(request, message);
    // Running handlers may wait for a response or notification, so only requests are rejected.
    if (this.#draining && requestIds(message).length > 0) throw shuttingDownRejection();
    if (this.#hasLegacySse && this.legacySessions.post(request, message, responder, bytes)) return;
    if (!accepts(request, JSON_TYPE, SSE_TYPE))
      throw new HttpRejection(406, `Not Acceptable: ${ACCEPT} must list ${JSON_TYPE} and ${SSE_TYPE}`);
    if (Array.isArray(message)) return this.#postBatch(request, message, responder, bytes);
    const problem = envelopeProblem(message);
    if (problem) throw new HttpRejection(400, `Invalid Request: ${problem}`);
    const one = message as JSONRPCMessage;
    if (!("method" in one)) return this.#postToSession(request, one, responder, bytes);
    const version = request.header(PROTOCOL_VERSION);
    const modern = this.server.revisions.stateless;
    const carriesVersion = modern.size > 0 && carriesProtocolVersion(one);
    // For requests, the body decides. Notifications of a handshake-era session have its id in a header.
    const isLegacy = "id" in one ? !carriesVersion && one.method === INITIALIZE : this.#isInSession(request);
    if (isLegacy || (!carriesVersion && !modern.has(version ?? "")))
      return this.#postHandshake(request, one, responder, bytes);
    const client = this.limits.clientOf(request);
    if (!("id" in one)) return new StatelessExchange(this, request, responder, client, bytes).notify(one);
    if (!carriesVersion) {
      const text = `Invalid params: _meta["${META_PROTOCOL_VERSION}"] and _meta["${META_CLIENT_CAPABILITIES}"] are missing`;
      throw new HttpRejection(400, new ProtocolError(ErrorCode.InvalidParams, text));
    }
    this.#assertRequestCapacity(client, bytes);
    new StatelessExchange(this, request, responder, client, bytes).run(one);
  }

  /** Rejects new requests, lets running ones finish, and ends all streams and sessions. */
  close(graceMs?: number): Promise<void> {
    this.isDraining = true;
    return (this.#draining ??= markHandled(this.#drain(graceMs)));
  }

  async #drain(graceMs: number | undefined): Promise<void> {
    const connections = [...this.server.connections].filter(
      ({ transport }) => (transport as { endpoint?: unknown }).endpoint === this,
    );
    await Promise.all(connections.map((connection) => connection.shutdown(graceMs)));
  }

  #serveWithoutBody(request: HttpRequest, responder: Responder): void {
    const { method } = request;
    if (method === "OPTIONS")
      return responder.respond(204, { allow: this.#allowed, ...this.originPolicy.preflight(request) });
    this.#assertAuthorized(request);
    if ((method !== "GET" && method !== "DELETE") || !this.#allowed.includes(method)) throw this.#notAllowed();
    if (this.#draining) throw shuttingDownRejection();
    if (method === "GET") return this.#get(request, responder);
    this.#namedSession(request).delete(request, responder);
  }

  /** Rejects a request outside a session when the limit is reached. */
  #assertRequestCapacity(client: ClientKey, bytes: number): void {
    const { requests, suspended } = this.limits;
    if (!requests.hasRoom(client) || !suspended.makeMemory(client, bytes)) throw busyRejection();
  }

  get #allowed(): string {
    return this.#hasSessions ? "GET, POST, DELETE" : this.#hasLegacySse ? "GET, POST" : "POST";
  }

  #get(request: HttpRequest, responder: Responder): void {
    if (!accepts(request, SSE_TYPE)) throw new HttpRejection(406, `Not Acceptable: ${ACCEPT} must list ${SSE_TYPE}`);
    const isNamed = request.header(SESSION_ID) !== undefined || request.header(PROTOCOL_VERSION) !== undefined;
    if (this.#hasLegacySse && !isNamed) return this.legacySessions.open(request, responder);
    if (!this.#hasSessions) throw this.#notAllowed();
    // A session of revision 2024-11-05 uses the rest of Streamable HTTP, too.
    this.#namedSession(request).get(request, responder);
  }

  #postBatch(request: HttpRequest, messages: readonly unknown[], responder: Responder, bytes: number): void {
    const isLegal =
      !messages.some(carriesProtocolVersion) && this.server.revisions.handshake.some(({ profile }) => profile.batch);
    const unsupported = "this revision does not support batches";
    const problem = messages.length === 0 ? "the batch is empty" : isLegal ? undefined : unsupported;
    if (problem) throw new HttpRejection(400, `Invalid Request: ${problem}`);
    const session = this.#sessionFor(request, bytes);
    const malformed = messages.map(envelopeProblem).find(Boolean);
    if (session.profile?.batch && (!malformed || requestIds(messages).length > 0))
      return session.post(request, messages, responder, bytes);
    if (session.isSingleRequest) void session.close();
    throw new HttpRejection(400, `Invalid Request: ${malformed ?? unsupported}`);
  }

  #postHandshake(
    request: HttpRequest,
    message: JSONRPCRequest | JSONRPCNotification,
    responder: Responder,
    bytes: number,
  ): void {
    const isOpening = "id" in message && message.method === INITIALIZE;
    if (this.server.revisions.handshake.length === 0)
      throw this.#unsupported(isOpening ? message.params?.["protocolVersion"] : request.header(PROTOCOL_VERSION));
    // On 400, clients fall back to the older transport; here they would miss messages that belong to no request.
    if (this.#hasOnlyLegacySse) throw new HttpRejection(400, "Bad Request: open the event stream with GET first");
    if (!isOpening || this.#isInSession(request)) return this.#postToSession(request, message, responder, bytes);
    const client = this.limits.clientOf(request);
    if (!this.limits.suspended.makeMemory(client, bytes + baseBytes)) throw busyRejection();
    if (this.#hasSessions) this.#assertRoomForSession(client);
    else this.#assertRequestCapacity(client, bytes);
    const id = this.#hasSessions ? crypto.randomUUID() : "";
    const session = new HttpSession(this, id, principalKey(request.principal), client, request);
    if (this.#hasSessions) this.sessions.add(session);
    session.post(request, message, responder, bytes);
  }

  #assertRoomForSession(client: ClientKey): void {
    const seconds = this.sessions.makeRoom(client);
    if (seconds !== undefined) throw tooManySessionsRejection(seconds);
  }

  #postToSession(request: HttpRequest, message: JSONRPCMessage, responder: Responder, bytes: number): void {
    if (!this.#hasSessions && !("method" in message))
      throw new HttpRejection(400, "Invalid Request: without sessions, the server sends no requests to respond to");
    this.#sessionFor(request, bytes).post(request, message, responder, bytes);
  }

  #isInSession(request: HttpRequest): boolean {
    return this.sessions.get(request.header(SESSION_ID) ?? "") !== undefined;
  }

  /** The session that handles a message. */
  #sessionFor(request: HttpRequest, bytes: number): HttpSession {
    return this.#hasSessions ? this.#namedSession(request) : this.#singleRequestSession(request, bytes);
  }

  /** The session that a request names. */
  #namedSession(request: HttpRequest): HttpSession {
    const version = request.header(PROTOCOL_VERSION);
    if (version !== undefined && !this.server.revisions.ids.includes(version)) throw this.#unsupported(version);
    const id = request.header(SESSION_ID);
    if (id === undefined)
      throw new HttpRejection(400, `Bad Request: ${SESSION_ID} is missing; call ${INITIALIZE} first`);
    const session = this.sessions.get(id);
    // The session may go on at another node.
    if (!session && this.#lookup && this.isDraining) throw shuttingDownRejection();
    return assertOwner(session, request);
  }

  /** A session for one request, when the option `sessions` is `false`. */
  #singleRequestSession(request: HttpRequest, bytes: number): HttpSession {
    const { handshake } = this.server.revisions;
    const version = request.header(PROTOCOL_VERSION);
    // Before 2025-06-18 there was no version header.
    const side =
      version === undefined
        ? (handshake.find(({ profile }) => profile.session && profile.versionHeader === "none") ?? handshake.at(0))
        : handshake.find(({ revision }) => revision === version);
    if (!side) throw this.#unsupported(version);
    const client = this.limits.clientOf(request);
    this.#assertRequestCapacity(client, bytes);
    const session = new HttpSession(this, "", principalKey(request.principal), client, request);
    session.connection.openAssumedSession(side);
    return session;
  }

  #unsupported(requested: unknown): HttpRejection {
    const { ids, unsupportedVersionCode } = this.server.revisions;
    const named = typeof requested === "string" ? requested.slice(0, 100) : "unknown";
    return new HttpRejection(400, new UnsupportedProtocolVersionError(unsupportedVersionCode, ids, named));
  }

  #notAllowed(): HttpRejection {
    return new HttpRejection(405, "Method Not Allowed", { allow: this.#allowed });
  }

  refuseLate(request: HttpRequest, responder: Responder, error: unknown, to?: unknown): void {
    const isRejection = error instanceof HttpRejection;
    if (!isRejection) reportTo(this.server.options, error);
    this.#refuse(request, responder, isRejection ? error : unavailableRejection(), to);
  }

  /** Sends the error response to a rejected request. */
  #refuse(request: HttpRequest, responder: Responder, error: unknown, to?: unknown): void {
    if (!(error instanceof HttpRejection)) throw error;
    const { status } = error;
    this.refused[status] = (this.refused[status] ?? 0) + 1;
    const { method, remoteAddress } = request;
    log(this.server.options, status < 500 ? "info" : "warn", { status, method, remoteAddress }, "request refused");
    sendRejection(responder, error, this.originPolicy.headers(request), to);
  }
}
