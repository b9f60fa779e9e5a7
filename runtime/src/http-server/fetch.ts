import type { Principal } from "../engine/transport.js";
import type { Endpoint } from "./endpoint.js";
import type { McpHandlerRequestOptions } from "./handler.js";
import type { BodyWriter, HttpHeaders, HttpRequest, Responder } from "./request.js";

/** Serves a web-standard request. */
export function serveFetch(
  endpoint: Endpoint,
  request: Request,
  { principal, parsedBody }: McpHandlerRequestOptions = {},
): Promise<Response> {
  return new Promise((resolve) => {
    const head = new FetchRequest(request, principal);
    const responder = new FetchResponder(request, resolve);
    if (!endpoint.wantsBody(head, responder)) return;
    if (parsedBody !== undefined) return endpoint.receive(head, parsedBody, responder);
    readText(request, endpoint.maxBodyBytes).then(
      (text) => {
        if (text === tooLarge) endpoint.tooLarge(head, responder);
        else endpoint.receiveText(head, text, responder);
      },
      // The client has gone away.
      () => resolve(new Response(null, { status: 400 })),
    );
  });
}

class FetchRequest implements HttpRequest {
  readonly url: string;
  readonly #host: string;

  constructor(
    readonly request: Request,
    readonly principal: Principal | undefined,
  ) {
    const { host, pathname, search } = new URL(request.url);
    this.#host = host;
    this.url = pathname + search;
  }

  get method(): string {
    return this.request.method;
  }

  header(name: string): string | undefined {
    // Not all hosts let programs see this header.
    return this.request.headers.get(name) ?? (name === "host" ? this.#host : undefined);
  }
}

const encoder = new TextEncoder();

class FetchResponder implements Responder {
  onabort: (() => void) | undefined;

  constructor(
    request: Request,
    readonly resolve: (response: Response) => void,
  ) {
    request.signal.addEventListener("abort", () => this.onabort?.(), { once: true });
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    this.onabort = undefined;
    this.resolve(new Response(body ?? null, { status, headers }));
  }

  begin(status: number, headers: HttpHeaders): BodyWriter {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    let ended = false;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given;
        },
        cancel: () => {
          ended = true;
          this.onabort?.();
        },
      },
      { highWaterMark: 0, size: (chunk) => chunk.byteLength },
    );
    this.resolve(new Response(body, { status, headers }));
    const finish = (close: () => void): void => {
      if (ended) return;
      ended = true;
      this.onabort = undefined;
      close();
    };
    return {
      write: (text) => {
        if (!ended) controller.enqueue(encoder.encode(text));
      },
      end: () => finish(() => controller.close()),
      abort: () => finish(() => controller.error(new Error("The stream was cut"))),
      get queuedBytes() {
        return ended ? 0 : -(controller.desiredSize ?? 0);
      },
    };
  }
}

const tooLarge = Symbol("too large");

/** The body as text; undefined when it is no UTF-8. */
async function readText(request: Request, maxBytes: number): Promise<string | typeof tooLarge | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge;
  const reader = request.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text: string | undefined = "";
  let bytes = 0;
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    const { value } = next;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return tooLarge;
    }
    text = decoded(text, () => decoder.decode(value, { stream: true }));
  }
  return decoded(text, () => decoder.decode());
}

function decoded(before: string | undefined, decode: () => string): string | undefined {
  try {
    return before === undefined ? undefined : before + decode();
  } catch {
    return undefined;
  }
}
