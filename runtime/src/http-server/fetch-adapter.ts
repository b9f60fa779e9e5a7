import type { Principal } from "../transport/principal.js";
import type {
  BodyWriter,
  HttpEndpoint,
  HttpHeaders,
  HttpRequest,
  DisconnectListener,
  Responder,
} from "./host-adapter.js";
import type { McpHandlerRequestOptions } from "./options.js";
import type { WatchedResponse, WriteWatch } from "./write-watch.js";

/**
 * The longest body of a rejected request that is read: some hosts close the connection of a body that was not read, and the client's
 * next request then fails on it.
 */
const maxIgnoredBytes = 2 ** 16;

/** Serves a web-standard request. */
export function serveFetch(
  endpoint: HttpEndpoint,
  writes: WriteWatch,
  request: Request,
  { principal, parsedBody }: McpHandlerRequestOptions = {},
): Promise<Response> {
  return new Promise((resolve) => {
    const exchange = new FetchExchange(request, principal, resolve, writes);
    const onGone = (): void => resolve(new Response(null, { status: 400 }));
    const receiveBody = (isWanted: boolean): void => {
      if (isWanted && parsedBody !== undefined) return endpoint.receiveMessage(exchange, parsedBody, exchange);
      readBody(request, isWanted ? endpoint.maxBodyBytes : maxIgnoredBytes).then((body) => {
        if (!isWanted) return;
        if (body) endpoint.receiveText(exchange, textOf(body), exchange);
        else endpoint.rejectTooLarge(exchange, exchange);
      }, onGone);
    };
    const wantsBody = endpoint.receiveHead(exchange, exchange);
    if (typeof wantsBody === "boolean") receiveBody(wantsBody);
    else
      void wantsBody.then((isWanted) => {
        // The client may have disconnected while the endpoint waited.
        if (request.signal.aborted) onGone();
        else receiveBody(isWanted);
      });
  });
}

const encoder = new TextEncoder();

class FetchExchange implements HttpRequest, Responder {
  disconnectListener: DisconnectListener | undefined;
  authenticated: HttpRequest["authenticated"];
  #observed = false;

  constructor(
    readonly request: Request,
    public principal: Principal | undefined,
    readonly resolve: (response: Response) => void,
    readonly writes: WriteWatch,
  ) {}

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    const { url } = this.request;
    return url.slice(url.indexOf("/", url.indexOf("//") + 2));
  }

  header(name: string): string | undefined {
    // Some hosts hide this header.
    return this.request.headers.get(name) ?? (name === "host" ? new URL(this.request.url).host : undefined);
  }

  watchDisconnect(): void {
    if (this.#observed) return;
    this.#observed = true;
    const { signal } = this.request;
    const gone = (): void => this.#gone();
    if (signal.aborted) queueMicrotask(gone);
    else signal.addEventListener("abort", gone, { once: true });
  }

  /** Notifies the listener once: hosts may report a disconnect by the request and by the response body. */
  #gone(): void {
    const { disconnectListener } = this;
    this.disconnectListener = undefined;
    disconnectListener?.onDisconnect();
  }

  respond(status: number, headers: HttpHeaders, body?: string): void {
    this.disconnectListener = undefined;
    this.resolve(responseWith(body ?? null, status, headers));
  }

  startStream(status: number, headers: HttpHeaders): BodyWriter {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    let ended = false;
    let written = 0;
    let onDrained = (): void => undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given;
        },
        // The reader waits, so that nothing is queued.
        pull: () => onDrained(),
        cancel: () => {
          ended = true;
          onDrained();
          this.#gone();
        },
      },
      { highWaterMark: 0, size: (chunk) => chunk.byteLength },
    );
    this.resolve(responseWith(body, status, headers));
    // Not every host cancels the body for a client that left before the response began.
    this.watchDisconnect();
    const finish = (close: () => void): void => {
      if (ended) return;
      ended = true;
      this.disconnectListener = undefined;
      close();
    };
    const abort = (): void => controller.error(new Error("the stream was aborted"));
    const queued = (): number => -(controller.desiredSize ?? 0);
    const watched: WatchedResponse = {
      get progress() {
        return queued() > 0 ? written - queued() : undefined;
      },
      cut: () => {
        ended = true;
        abort();
        onDrained();
        this.#gone();
      },
    };
    return {
      write: (text) => {
        if (ended) return;
        const bytes = encoder.encode(text);
        written += bytes.length;
        controller.enqueue(bytes);
        this.writes.watch(watched);
      },
      end: () => finish(() => controller.close()),
      abort: () => finish(abort),
      get queuedBytes() {
        return ended ? 0 : queued();
      },
      drained: () =>
        new Promise((resolve) => {
          onDrained = resolve;
          if (ended || queued() <= 0) resolve();
        }),
    };
  }
}

/** Copies the headers, which responses share: some hosts replace `Response` by a class that changes the object it gets. */
function responseWith(body: string | ReadableStream | null, status: number, headers: HttpHeaders): Response {
  return new Response(body, { status, headers: { ...headers } });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined when the body is not valid UTF-8. */
function textOf(body: BufferSource): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** Undefined when the body is longer than `maxBytes`. */
async function readBody(request: Request, maxBytes: number): Promise<BufferSource | undefined> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > maxBytes) return undefined;
  // The host enforces the announced length.
  if (announced !== null) return request.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    chunks.push(next.value);
    length += next.value.byteLength;
    if (length <= maxBytes) continue;
    await reader?.cancel();
    return undefined;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
