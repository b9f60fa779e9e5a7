import type { RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import { META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { HeaderParam } from "../http/header-param.js";
import { headerParamValue } from "../http/tool-header-params.js";
import { decodeHeaderValue } from "../http/header-value.js";
import { METHOD, NAME, PARAM_PREFIX, PROTOCOL_VERSION } from "../http/headers.js";
import { event, KEEP_ALIVE } from "../http/sse.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { RequestChecks } from "../transport/request-checks.js";
import type { Transport } from "../transport/transport.js";
import type { EndpointContext } from "./endpoint-context.js";
import type { BodyWriter, HttpHeaders, HttpRequest, DisconnectListener, Responder } from "./host-adapter.js";
import { HttpRejection, sendRejection, shuttingDownError, tooManyError } from "./rejection.js";
import { withJsonHeaders, withSseHeaders } from "./response-headers.js";

/**
 * One POST of the stateless era: a transport that carries one request and ends with its answer (MCP 2026-07-28, Streamable
 * HTTP). It checks the headers that repeat parts of the request.
 */
export class StatelessExchange implements Transport, RequestChecks, MessageExtra, DisconnectListener {
  readonly isStateless = true;
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  /** `performance.now()` of the last thing that was sent, or of the beginning. */
  lastSentAt = 0;
  setIndex: number | undefined;
  #side: Side | undefined;
  #admitted = false;
  #streams = false;
  #writer: BodyWriter | undefined;
  #done = false;

  constructor(
    readonly endpoint: EndpointContext,
    readonly http: HttpRequest,
    readonly responder: Responder,
  ) {
    endpoint.requestCount++;
    responder.disconnectListener = this;
  }

  onDisconnect(): void {
    this.#end(new SdkError("REQUEST_CANCELLED", "the client closed the request before it was answered"));
  }

  /** Has the connection handle the request. */
  run(message: unknown): void {
    this.endpoint.server.accept(this);
    this.onmessage?.(message, this);
    if (this.#done) return;
    if (this.#streams) this.endpoint.streams.addStanding(this);
    else this.endpoint.streams.keepAlive(this);
  }

  /** Most handlers never ask whether the client is still there, and to find out costs as much as they do. */
  watchDisconnect(): void {
    this.responder.watchDisconnect();
  }

  /** Has the connection hear a notification. */
  notify(message: JSONRPCNotification): void {
    const problem = this.#headerMismatch(message);
    if (problem) {
      sendRejection(this.responder, new HttpRejection(400, problem), this.#headers);
      return this.#end();
    }
    this.endpoint.server.accept(this);
    this.onmessage?.(message, { http: this.http, principal: this.principal });
    this.responder.respond(202, this.#headers);
    this.#end();
  }

  /** Whether the headers say something else than a notification; none is required. */
  #headerMismatch({ method, params }: JSONRPCNotification): ProtocolError | undefined {
    const version = this.http.header(PROTOCOL_VERSION);
    const named = this.http.header(METHOD);
    const claimed = params?._meta?.[META_PROTOCOL_VERSION];
    if (version !== undefined && typeof claimed === "string" && claimed !== version)
      return mismatch(PROTOCOL_VERSION, version, claimed);
    return named === undefined || named === method ? undefined : mismatch(METHOD, named, method);
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
    this.#write(event(text));
  }

  /** Gives up a request that is still not answered. */
  close(): Promise<void> {
    if (this.#done) return Promise.resolve();
    if (this.#writer) this.#writer.abort();
    else sendRejection(this.responder, new HttpRejection(503, shuttingDownError()), this.#headers);
    this.#end();
    return Promise.resolve();
  }

  /** Nothing was sent for long: a comment keeps the connection open, also of a request that is still to be answered. */
  sendKeepAlive(): void {
    this.#write(KEEP_ALIVE);
  }

  /** What the answer has because of where the request comes from. */
  get #headers(): HttpHeaders {
    return this.endpoint.originPolicy.headers(this.http);
  }

  /** Writes before the answer, where it may be a stream. */
  #write(text: string): void {
    if (this.endpoint.options.responseMode === "json" && !this.#streams) return;
    const writer = (this.#writer ??= this.responder.startStream(200, withSseHeaders(this.#headers)));
    writer.write(text);
    this.lastSentAt = performance.now();
    // Whoever does not read loses the stream.
    if (writer.queuedBytes <= this.endpoint.maxQueuedBytes) return;
    writer.abort();
    this.#end(new SdkError("LIMIT_EXCEEDED", "the client does not read what it asked for"));
  }

  #respond(message: JSONRPCResponse, text: string): void {
    const status = "error" in message ? this.#status(message.error.code) : 200;
    if (this.#writer) {
      this.#writer.write(event(text));
      this.#writer.end();
    } else if (status === 200 && this.endpoint.options.responseMode === "sse")
      this.responder.respond(status, withSseHeaders(this.#headers), event(text));
    else this.responder.respond(status, withJsonHeaders(this.#headers), text);
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
    this.endpoint.requestCount--;
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
    if (this.#streams && !this.endpoint.streams.hasRoom()) throw tooManyError("streams");
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
    // A header may be there without a value in the body, but not with text that stands for none.
    if (value === undefined ? header === undefined || decoded !== undefined : decoded === value) return;
    const isSameNumber =
      type === "integer" && /^-?\d+(\.0+)?$/.test(decoded ?? "") && Number(decoded) === Number(value);
    if (!isSameNumber) throw mismatch(name, header, value);
  }
}

function mismatch(name: string, header: string | undefined, value: string | undefined): ProtocolError {
  const quoted = (text: string): string => JSON.stringify(text.slice(0, 50));
  const against = value === undefined ? "which stands for no value" : `where the body says ${quoted(value)}`;
  const problem = header === undefined ? "is missing" : `says ${quoted(header)} ${against}`;
  return new ProtocolError(ErrorCode.HeaderMismatch, `Header mismatch: ${name} ${problem}`);
}
