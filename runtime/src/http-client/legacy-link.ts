import type { EventSourceMessage } from "eventsource-parser";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { deferred } from "../timing/deferred.js";
import { raceAbort } from "../timing/race-abort.js";
import type { AuthorizedFetch } from "./authorized-fetch.js";
import { httpError } from "./http-error.js";
import { parseMessage, type LinkEvents } from "./link-events.js";
import { defaultMaxMessageBytes } from "./options.js";
import type { OutgoingRequest } from "./outgoing-request.js";
import { isEventStream, readEvents } from "./read-events.js";
import { discard } from "./response-body.js";

/** How long a server may take to send its endpoint. */
const endpointMs = 30_000;

type Message = NonNullable<OutgoingRequest["message"]>;

/** HTTP with server-sent events (MCP 2024-11-05, transports): one stream to read and one endpoint to post to. */
export class LegacyLink {
  readonly #over = new AbortController();
  #endpoint: URL | undefined;

  constructor(
    readonly fetch: AuthorizedFetch,
    readonly events: LinkEvents,
  ) {}

  /**
   * Opens the stream and waits for the endpoint.
   * @param message the message that waits for it
   * @throws SdkError `HTTP_ERROR` when the server lacks this transport; `SEND_FAILED`, `RESPONSE_LOST`, `LIMIT_EXCEEDED`
   */
  async open(message: Message = []): Promise<void> {
    const { signal } = this.#over;
    const late = new SdkError("RESPONSE_LOST", "the server did not send its endpoint event in time");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = (): void => {
      timer = setTimeout(() => this.#over.abort(late), endpointMs);
    };
    const onWait = (): (() => void) => {
      clearTimeout(timer);
      return start;
    };
    start();
    try {
      const headers = { accept: "text/event-stream" };
      const request: OutgoingRequest = { method: "GET", headers, message, signal, onWait };
      const response = await this.fetch.send(request);
      if (!response.ok || !isEventStream(response)) await this.fetch.throwHttpError(request, response);
      const { promise: named, resolve } = deferred();
      void this.#read(response, resolve);
      await raceAbort(signal, named);
    } catch (error) {
      this.#over.abort(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws SdkError `HTTP_ERROR`, `SEND_FAILED` */
  async send(message: Message, headers: OutgoingRequest["headers"], body: string): Promise<void> {
    const request: OutgoingRequest = { method: "POST", headers, body, message, signal: this.#over.signal };
    const response = await this.fetch.send(request, this.#endpoint);
    if (!response.ok) await this.fetch.throwHttpError(request, response, undefined, this.#endpoint);
    discard(response);
  }

  close(): void {
    this.#over.abort(new SdkError("NOT_CONNECTED", "the transport was closed"));
  }

  /** Delivers the messages of the stream until it ends. */
  async #read(response: Response, named: () => void): Promise<void> {
    const { signal } = this.#over;
    const { maxMessageBytes = defaultMaxMessageBytes } = this.fetch.options;
    const event = (one: EventSourceMessage): void => {
      if (signal.aborted) return;
      if (this.#endpoint) return this.#message(one);
      this.#endpoint = endpointOf(one, this.fetch.url);
      if (this.#endpoint) return named();
      const why = "the first event must be `endpoint`, with a URL of the same origin";
      this.#over.abort(httpError("GET", this.fetch.url, response, one.data, why));
    };
    const cause = await readEvents(response, maxMessageBytes, { event, retry: () => undefined }).catch(
      (error: unknown) => error,
    );
    if (signal.aborted) return;
    const error = this.#endpoint
      ? new SdkError("CONNECTION_CLOSED", "the server ended the event stream", undefined, { cause })
      : new SdkError("RESPONSE_LOST", "the stream ended before the endpoint event", undefined, { cause });
    this.#over.abort(error);
    if (this.#endpoint) this.events.onEnd(error);
  }

  #message({ event, data }: EventSourceMessage): void {
    if (event !== undefined && event !== "message") return;
    const message = parseMessage(data, this.events, this.fetch.options);
    if (message !== undefined) this.events.onMessage(message);
  }
}

/** The endpoint's URL, only if it has the same origin, because requests to it carry the token. */
function endpointOf({ event, data }: EventSourceMessage, base: URL): URL | undefined {
  const url = event === "endpoint" ? parseUrl(data, base) : undefined;
  return url?.origin === base.origin ? url : undefined;
}
