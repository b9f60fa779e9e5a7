import type { RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import { META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { isChange } from "../connection/change.js";
import type { HeaderParam } from "../http/header-param.js";
import { headerParamValue } from "../http/tool-header-params.js";
import { decodeHeaderValue } from "../http/header-value.js";
import { METHOD, NAME, PARAM_PREFIX, PROTOCOL_VERSION } from "../http/headers.js";
import { KEEP_ALIVE, unnamedEvent } from "../http/sse.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from "../jsonrpc/message-types.js";
import { refusalIn } from "../jsonrpc/refusal.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { RequestChecks } from "../transport/request-checks.js";
import type { Transport } from "../transport/transport.js";
import type { EndpointContext } from "./endpoint-context.js";
import type { BodyWriter, HttpHeaders, HttpRequest, DisconnectListener, Responder } from "./host-adapter.js";
import type { HostedConnection } from "./hosted-server.js";
import { PendingChanges } from "./pending-changes.js";
import { HttpRejection, refusalHeaders, sendRejection, shuttingDownError, tooManyError } from "./rejection.js";
import { withJsonHeaders, withSseHeaders } from "./response-headers.js";
import type { ClientKey } from "./shared-limit.js";

/**
 * One POST of the stateless era: a transport that carries one request and ends with its response (MCP 2026-07-28, Streamable
 * HTTP). It checks the headers that repeat parts of the request.
 */
export class StatelessExchange implements Transport, RequestChecks, MessageExtra, DisconnectListener {
  readonly isStateless = true;
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  /** `performance.now()` of the last write, or of the start. */
  lastSentAt = 0;
  setIndex: number | undefined;
  #request: unknown;
  #side: Side | undefined;
  #admitted = false;
  #streams = false;
  #writer: BodyWriter | undefined;
  #pendingChanges: PendingChanges | undefined;
  #connection: HostedConnection | undefined;
  #done = false;
  /** Whether a suspended call keeps the memory of the request after the response. */
  #isKept = false;

  /** @param bytes the estimated memory of the request */
  constructor(
    readonly endpoint: EndpointContext,
    readonly http: HttpRequest,
    readonly responder: Responder,
    readonly client: ClientKey,
    readonly bytes: number,
  ) {
    const { requests, memory } = endpoint.limits;
    requests.add(client);
    memory.add(client, bytes);
    responder.disconnectListener = this;
  }

  onDisconnect(): void {
    this.#end(new SdkError("REQUEST_CANCELLED", "the client disconnected before the response was sent"));
  }

  /** Passes a request to a new connection. */
  run(message: unknown): void {
    this.#request = message;
    this.#connection = this.endpoint.server.accept(this, this.http);
    this.onmessage?.(message, this);
    if (this.#done) return;
    if (this.#streams) this.endpoint.streams.addStanding(this, this.http);
    else this.endpoint.streams.keepAlive(this);
  }

  suspend(giveWay: () => void): () => void {
    const { memory, suspended } = this.endpoint.limits;
    if (this.#done) memory.add(this.client, this.bytes);
    this.#isKept = !this.#done;
    return suspended.add(this.client, this.bytes, giveWay);
  }

  expire(): void {
    void this.#connection?.shutdown();
  }

  /**
   * A disconnect cancels the request. Called only when a handler needs it or takes long: watching costs about as much as a
   * small handler.
   */
  watchDisconnect(): void {
    this.responder.watchDisconnect();
  }

  /** Passes a notification to a new connection. */
  notify(message: JSONRPCNotification): void {
    const problem = this.#headerMismatch(message);
    if (problem) {
      sendRejection(this.responder, new HttpRejection(400, problem), this.#headers);
      return this.#end();
    }
    this.endpoint.server.accept(this, this.http);
    this.onmessage?.(message, { http: this.http, principal: this.principal });
    this.responder.respond(202, this.#headers);
    this.#end();
  }

  /** The error when a header differs from the notification; all headers are optional. */
  #headerMismatch({ method, params }: JSONRPCNotification): ProtocolError | undefined {
    const version = this.http.header(PROTOCOL_VERSION);
    const named = this.http.header(METHOD);
    const claimed = params?._meta?.[META_PROTOCOL_VERSION];
    if (version !== undefined && typeof claimed === "string" && claimed !== version)
      return mismatch(PROTOCOL_VERSION, version, claimed);
    return named === undefined || named === method ? undefined : mismatch(METHOD, named, method);
  }

  /** Bytes that wait for the client. */
  get queuedBytes(): number {
    return this.#writer?.queuedBytes ?? 0;
  }

  get requestChecks(): RequestChecks {
    return this;
  }

  get principal(): Principal | undefined {
    return this.http.principal;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (this.#done) throw new SdkError("NOT_CONNECTED", "the request has been answered");
    const text = serialize(message);
    if (!("method" in message)) return this.#respond(message as JSONRPCResponse, text);
    this.#write(unnamedEvent(text), isChange(message));
  }

  /** Aborts a request without a response. */
  close(): Promise<void> {
    if (this.#done) return Promise.resolve();
    if (this.#writer) this.#writer.abort();
    else sendRejection(this.responder, new HttpRejection(503, shuttingDownError()), this.#headers, this.#request);
    this.#end();
    return Promise.resolve();
  }

  /** Writes a comment that keeps the connection open; the response becomes a stream, unless it must be JSON. */
  sendKeepAlive(): void {
    if (this.#mustBeJson) this.watchDisconnect();
    else this.#write(KEEP_ALIVE);
  }

  get #mustBeJson(): boolean {
    return this.endpoint.options.responseMode === "json" && !this.#streams;
  }

  /** The CORS headers of the response. */
  get #headers(): HttpHeaders {
    return this.endpoint.originPolicy.headers(this.http);
  }

  /** Writes a message before the response, unless the response must be JSON. */
  #write(text: string, isChange = false): void {
    if (this.#mustBeJson) return;
    const writer = (this.#writer ??= this.responder.startStream(200, withSseHeaders(this.#headers)));
    if (this.#cutUnread(writer)) return;
    this.#pendingChanges = PendingChanges.write(writer, text, isChange, this.#pendingChanges);
    this.lastSentAt = performance.now();
  }

  /** Closes the stream of a client that does not read. Returns whether it did. */
  #cutUnread(writer: BodyWriter): boolean {
    if (writer.queuedBytes <= this.endpoint.maxQueuedBytes) return false;
    writer.abort();
    this.#end(new SdkError("LIMIT_EXCEEDED", "the client does not read its response stream"));
    return true;
  }

  #respond(message: JSONRPCResponse, text: string): void {
    const refusal = refusalIn(message);
    const status = refusal?.status ?? ("error" in message ? this.#status(message.error.code) : 200);
    if (this.#writer) {
      if (this.#cutUnread(this.#writer)) return;
      this.#writer.write(unnamedEvent(text));
      this.#writer.end();
    } else if (status === 200 && this.endpoint.options.responseMode === "sse")
      this.responder.respond(status, withSseHeaders(this.#headers), unnamedEvent(text));
    else {
      const headers = refusal ? { ...this.#headers, ...refusalHeaders(refusal) } : this.#headers;
      this.responder.respond(status, withJsonHeaders(headers), text);
    }
    this.#end();
  }

  #status(code: number): number {
    const profile = this.#side?.profile;
    if (code === ErrorCode.HeaderMismatch || code === profile?.missingCapabilityCode) return 400;
    if (this.#admitted) return 200;
    if (code === ErrorCode.MethodNotFound) return profile?.unknownMethodStatus ?? 404;
    return code === ErrorCode.InternalError ? 503 : 400;
  }

  #end(error?: Error): void {
    if (this.#done) return;
    this.#done = true;
    this.responder.disconnectListener = undefined;
    const { requests, memory } = this.endpoint.limits;
    requests.add(this.client, -1);
    if (!this.#isKept) memory.add(this.client, -this.bytes);
    this.endpoint.streams.release(this);
    this.onclose?.(error);
  }

  checkVersion(version: string): void {
    const header = this.http.header(PROTOCOL_VERSION);
    if (header !== version) throw mismatch(PROTOCOL_VERSION, header, version);
  }

  checkMethod({ method }: JSONRPCRequest, side: Side): void {
    this.#side = side;
    if (!side.profile.standardHeaders) return;
    const header = this.http.header(METHOD);
    if (header !== method) throw mismatch(METHOD, header, method);
  }

  checkRequest({ params }: JSONRPCRequest, row: RequestDescriptor): void {
    this.#streams = row.stream !== undefined;
    if (this.#streams && !this.endpoint.streams.hasRoom(this.client)) throw tooManyError("streams");
    const value = row.routedBy === undefined ? undefined : params?.[row.routedBy];
    if (typeof value === "string" && this.#side?.profile.standardHeaders) this.#check(NAME, value);
    this.#admitted = true;
  }

  checkHeaderParams(params: readonly HeaderParam[], args: unknown): void {
    if (!this.#side?.profile.standardHeaders) return;
    for (const param of params)
      this.#check(PARAM_PREFIX + param.name.toLowerCase(), headerParamValue(param, args), param.type);
  }

  #check(name: string, value: string | undefined, type: HeaderParam["type"] = "string"): void {
    const header = this.http.header(name);
    const decoded = header === undefined ? undefined : decodeHeaderValue(header);
    // Both may be absent. A header without a value in the body does not match either: the specification demands that clients
    // omit it, and a proxy that routes by it would see a value that the tool does not. Undeclared headers are ignored.
    if (value === undefined ? header === undefined : decoded === value) return;
    const isSameNumber =
      type === "integer" && /^-?\d+(\.0+)?$/.test(decoded ?? "") && Number(decoded) === Number(value);
    if (!isSameNumber) throw mismatch(name, header, value ?? { missing: type });
  }
}

function mismatch(
  name: string,
  header: string | undefined,
  value: string | { readonly missing: HeaderParam["type"] },
): ProtocolError {
  const quoted = (text: string): string => JSON.stringify(text.slice(0, 50));
  const against = typeof value === "string" ? quoted(value) : `no such ${value.missing}`;
  const problem = header === undefined ? "is missing" : `is ${quoted(header)}, but the body has ${against}`;
  return new ProtocolError(ErrorCode.HeaderMismatch, `Header mismatch: ${name} ${problem}`);
}
