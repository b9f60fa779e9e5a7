import type { RequestId } from "@mcpwright/protocol/contract";
import { ErrorCode, SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { type JsonLimits, parseJson } from "../jsonrpc/parse-json.js";
import { raceAbort } from "../timing/race-abort.js";
import { isAuthorizationError } from "./authorization-error.js";
import type { AuthorizedFetch } from "./authorized-fetch.js";
import { EventStream } from "./event-stream.js";
import { httpError, responseLostError, mayHaveBeenProcessed, statusOf } from "./http-error.js";
import { HttpExchange, isErrorMessage } from "./http-exchange.js";
import { LegacyLink } from "./legacy-link.js";
import { parseMessage, type LinkEvents } from "./link-events.js";
import {
  defaultMaxMessageBytes,
  defaultMaxReconnectionDelay,
  defaultMaxRetryWaitMs,
  type StreamableHTTPClientTransportOptions,
} from "./options.js";
import type { OutgoingRequest } from "./outgoing-request.js";
import { isEventStream, mediaType } from "./read-events.js";
import type { RequestHeaders } from "./request-headers.js";
import { discard, readText } from "./response-body.js";
import { waitAndRetry } from "./wait-and-retry.js";

/** How long a server may take to accept a message that has no response. */
const acceptMs = 60_000;
/** How long a stream may stay open after its last response. */
const lingerMs = 1_000;
/** How long deleting a session may take. */
const goodbyeMs = 2_000;
const maxErrorBytes = 2 ** 20;
/** Only these statuses make a client try the older transport (MCP, transports: backwards compatibility). */
const notStreamable: readonly number[] = [400, 404, 405];
/** Messages of existing servers that use 400 instead of 404 (github.com/modelcontextprotocol/python-sdk/issues/1004). */
const unknownSession = /bad request: (no valid session|server not initialized)/i;

/** A session with a server, or the exchanges without one: requests in progress and open streams. */
export class StreamableLink {
  readonly #exchanges = new Set<HttpExchange>();
  /** The same session over the older transport, if the server has only that one. */
  #legacy: LegacyLink | undefined;
  /** The stream of messages that belong to no request, and when it was given up. */
  #listenStream: EventStream | undefined;
  #gaveUpAt: number | undefined;
  #hasListened = false;
  #isListening = false;

  constructor(
    readonly fetch: AuthorizedFetch,
    readonly options: StreamableHTTPClientTransportOptions,
    readonly headers: RequestHeaders,
    readonly events: LinkEvents,
    /** The id of the session that the server has opened. */
    public sessionId: string | undefined,
  ) {}

  /** Posts a message and delivers its responses. */
  async post(message: JSONRPCMessage | readonly JSONRPCMessage[], body: string): Promise<void> {
    if (this.#legacy) return this.#legacy.send(message, this.headers.forMessage(message), body);
    const exchange = this.#begin(message);
    if (!exchange.hasRequests)
      exchange.expire(acceptMs, "REQUEST_TIMEOUT", "the server did not accept the message in time");
    try {
      const sessionId = exchange.isOpening ? undefined : this.sessionId;
      const headers = { ...this.headers.forMessage(message), ...this.headers.forSession(sessionId) };
      const request: OutgoingRequest = {
        method: "POST",
        headers,
        body,
        message,
        signal: exchange.signal,
      };
      const { maxRetryWaitMs = defaultMaxRetryWaitMs } = this.options;
      const isRefusal = async (response: Response): Promise<boolean> =>
        errorIn(await readText(response.clone(), maxErrorBytes, "cut"), this.options) !== undefined;
      const response = await waitAndRetry(() => this.fetch.send(request), maxRetryWaitMs, exchange.signal, isRefusal);
      if (response.ok) await this.#receive(response, request, exchange);
      else await this.#refused(response, request, exchange, sessionId);
    } catch (error) {
      // After the response, errors no longer matter to the caller.
      if (!exchange.hasRequests || !exchange.isDone) throw error;
    } finally {
      this.#end(exchange);
    }
  }

  /** Opens the stream of messages that belong to no request, and keeps it open. Some servers do not have one. */
  async listen(): Promise<void> {
    if (this.#isListening || this.#legacy) return;
    this.#isListening = true;
    this.#gaveUpAt = undefined;
    const stream = (this.#listenStream ??= this.#stream(this.#begin([]), undefined, true));
    try {
      await stream.follow(await stream.open());
    } catch (error) {
      if (stream.stream.signal.aborted) return;
      const status = statusOf(error);
      if (this.#hasListened || status === undefined) this.#gaveUpAt = performance.now();
      else if (notStreamable.includes(status)) return;
      this.events.onError(error);
    } finally {
      this.#isListening = false;
    }
  }

  /** Fetches the messages that a stream had after an event. */
  async resume(lastEventId: string): Promise<void> {
    const exchange = this.#begin([]);
    try {
      await this.#stream(exchange, lastEventId).follow(await this.#get(exchange, lastEventId));
    } finally {
      this.#end(exchange);
    }
  }

  cancel(id: RequestId): void {
    for (const exchange of this.#exchanges)
      if (exchange.relatedRequestId === id) exchange.abandon("REQUEST_CANCELLED", "the request was cancelled");
  }

  /** Ends all exchanges; nothing more is received. */
  abandon(): void {
    for (const exchange of this.#exchanges) exchange.abandon("NOT_CONNECTED", "the transport was closed");
    this.#legacy?.close();
  }

  /**
   * Ends the session, if there is one. A server may not allow it, or may have ended the session already.
   * @throws SdkError `HTTP_ERROR`, `SEND_FAILED`
   */
  async delete(): Promise<void> {
    if (this.sessionId === undefined) return;
    const signal = AbortSignal.timeout(goodbyeMs);
    const request: OutgoingRequest = { method: "DELETE", headers: this.headers.forSession(this.sessionId), signal };
    const response = await this.fetch.send(request).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new SdkError("SEND_FAILED", "the server did not respond to DELETE in time", undefined, { cause: error });
    });
    if (!response.ok && response.status !== 404 && response.status !== 405)
      await this.fetch.throwHttpError(request, response);
    discard(response);
  }

  #begin(message: JSONRPCMessage | readonly JSONRPCMessage[]): HttpExchange {
    const exchange = new HttpExchange(message);
    this.#exchanges.add(exchange);
    return exchange;
  }

  #end(exchange: HttpExchange): void {
    exchange.end();
    this.#exchanges.delete(exchange);
  }

  async #receive(response: Response, request: OutgoingRequest, exchange: HttpExchange): Promise<void> {
    // A stream that was given up may work again.
    const { maxReconnectionDelay = defaultMaxReconnectionDelay } = this.options.reconnectionOptions ?? {};
    if (this.#gaveUpAt !== undefined && performance.now() - this.#gaveUpAt > maxReconnectionDelay) void this.listen();
    if (exchange.isOpening) this.#setSessionId(response.headers.get("mcp-session-id"));
    if (!exchange.hasRequests) {
      discard(response);
      return;
    }
    if (isEventStream(response)) return this.#stream(exchange, undefined).follow(response);
    if (mediaType(response) !== "application/json")
      return this.fetch.throwHttpError(request, response, "the response is neither JSON nor an event stream");
    const text = await readText(response, this.#maxBytes, "throw").catch((error: unknown) => {
      exchange.signal.throwIfAborted();
      throw error instanceof SdkError
        ? error
        : responseLostError(`the response was cut off; ${mayHaveBeenProcessed}`, error);
    });
    this.#deliver(text, exchange);
    if (!exchange.isDone)
      throw httpError("POST", this.fetch.url, response, text, "the body is not a response to the request");
  }

  #setSessionId(sessionId: string | null): void {
    if (sessionId === null) return;
    if (/^[!-~]{1,1024}$/.test(sessionId)) this.sessionId = sessionId;
    else
      this.events.onError(
        new SdkError("INVALID_MESSAGE", "the server sent a session id that is not valid in a header"),
      );
  }

  /** @param sessionId the session that the request belongs to */
  async #refused(
    response: Response,
    request: OutgoingRequest,
    exchange: HttpExchange,
    sessionId: string | undefined,
  ): Promise<void> {
    const { status } = response;
    const text = await readText(response, maxErrorBytes, "cut");
    const error = errorIn(text, this.options);
    const code = (error?.["error"] as { code?: unknown } | undefined)?.code;
    const isUnknown = status === 404 ? code !== ErrorCode.MethodNotFound : status === 400 && unknownSession.test(text);
    if (isUnknown && sessionId !== undefined) throw this.#endSession(sessionId);
    const isModern = typeof code === "number" && code <= ErrorCode.HeaderMismatch && code >= -32_022;
    const looksOlder = exchange.isOpening && notStreamable.includes(status) && !isModern;
    if (looksOlder && (await this.#fallBack(request, exchange))) return;
    // A JSON-RPC error is more precise than the status. Other statuses concern the server or authorization.
    if (error && status >= 400 && status < 500 && status !== 401 && status !== 403) {
      this.#deliverMessage(error, exchange);
      if (exchange.hasRequests && exchange.isDone) return;
    }
    throw httpError("POST", this.fetch.url, response, text);
  }

  /** Tries the older transport. Returns whether it has sent the message. */
  async #fallBack({ message = [], body = "" }: OutgoingRequest, { signal }: HttpExchange): Promise<boolean> {
    const legacy = new LegacyLink(this.fetch, this.events);
    try {
      await raceAbort(signal, legacy.open(message));
      signal.throwIfAborted();
    } catch (error) {
      legacy.close();
      if (isAuthorizationError(error) || statusOf(error) === 401) throw error;
      // The response to the handshake is the better error.
      return false;
    }
    // A concurrent handshake may have been faster.
    if (this.#legacy) legacy.close();
    await (this.#legacy ??= legacy).send(message, this.headers.forMessage([]), body);
    return true;
  }

  #endSession(sessionId: string): SdkError {
    const error = new SdkError("SESSION_LOST", "the server no longer knows the session");
    // Of several requests that find this out, only the first one reports it.
    if (this.sessionId === sessionId) {
      this.sessionId = undefined;
      this.events.onEnd(error);
    }
    return error;
  }

  async #get(exchange: HttpExchange, lastEventId: string | undefined): Promise<Response> {
    const { sessionId } = this;
    const headers: Record<string, string> = { accept: "text/event-stream", ...this.headers.forSession(sessionId) };
    // `fetch` takes header values as bytes; ids are UTF-8 strings.
    if (lastEventId !== undefined)
      headers["last-event-id"] = String.fromCharCode(...new TextEncoder().encode(lastEventId));
    const request: OutgoingRequest = { method: "GET", headers, signal: exchange.signal };
    const response = await this.fetch.send(request);
    if (response.ok && isEventStream(response)) return response;
    // Servers without such a stream may also respond with 404, but not after it was open.
    const wasKnown = lastEventId !== undefined || this.#hasListened;
    if (response.status === 404 && sessionId !== undefined && wasKnown) {
      discard(response);
      throw this.#endSession(sessionId);
    }
    return this.fetch.throwHttpError(request, response);
  }

  #stream(exchange: HttpExchange, lastEventId: string | undefined, isStanding = false): EventStream {
    return new EventStream(
      {
        signal: exchange.signal,
        maxBytes: this.#maxBytes,
        onData: (text) => {
          this.#deliver(text, exchange);
          if (exchange.hasRequests && exchange.isDone)
            exchange.expire(lingerMs, "REQUEST_CANCELLED", "the stream stayed open after the response");
        },
        isDone: () => !isStanding && exchange.isDone,
        canReopen: (id) => isStanding || (id !== undefined && this.headers.side?.profile.resumption !== false),
        open: async (id) => {
          const response = await this.#get(exchange, id);
          this.#hasListened ||= isStanding;
          return response;
        },
        ...(isStanding && { onGap: () => this.events.onGap() }),
      },
      this.options,
      lastEventId,
    );
  }

  #deliver(text: string, exchange: HttpExchange): void {
    const error = (problem: unknown, received: unknown): void => {
      // A request whose response was rejected gets no other one.
      if (received !== undefined) this.#recordResponses(received, exchange);
      this.events.onError(problem, received);
    };
    const message = parseMessage(text, { onError: error }, this.options);
    if (message !== undefined) this.#deliverMessage(message, exchange);
  }

  #deliverMessage(message: unknown, exchange: HttpExchange): void {
    if (exchange.signal.aborted) return;
    const { relatedRequestId } = exchange;
    const taken = this.#recordResponses(message, exchange);
    this.events.onMessage(taken, relatedRequestId === undefined ? undefined : { relatedRequestId });
  }

  #recordResponses(message: unknown, exchange: HttpExchange): unknown {
    return exchange.recordResponses(message, this.headers.side?.profile.batch);
  }

  get #maxBytes(): number {
    return this.options.maxMessageBytes ?? defaultMaxMessageBytes;
  }
}

function errorIn(text: string, limits: JsonLimits): Readonly<Record<string, unknown>> | undefined {
  try {
    const { problem, value } = parseJson(text, limits);
    return isErrorMessage(value) && problem === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
