import type { FetchLike } from "../../../runtime/src/http-client/fetch-like.js";

/** A request that reached the fake network. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** The body as a form. */
  readonly form: URLSearchParams;
  readonly signal: AbortSignal | undefined;
}

export type FakeHost = (request: SeenRequest) => Response | Promise<Response>;

/** Replaces the responses to some requests. */
export interface Fault {
  /** A part of `METHOD url` of the requests, such as `POST https://auth.example.com/token` or `/token`. */
  readonly at: string;
  /** How many requests it replaces. Default: all, until it is removed. */
  readonly times?: number;
  readonly respond: FakeHost;
}

/** A `fetch` over fake hosts: it never opens a connection, logs every request, and can fail on demand. */
export class FakeNetwork {
  readonly seen: SeenRequest[] = [];
  readonly #hosts = new Map<string, FakeHost[]>();
  readonly #faults = new Set<{ readonly fault: Fault; left: number }>();

  /** Responds to the requests to an origin. A later host of the same origin gets what the earlier ones answer with 404. */
  add(origin: string, host: FakeHost): void {
    this.#hosts.set(new URL(origin).origin, [...(this.#hosts.get(new URL(origin).origin) ?? []), host]);
  }

  /** Switches a fault on. Returns the function that switches it off. */
  fail(fault: Fault): () => void {
    const active = { fault, left: fault.times ?? Infinity };
    this.#faults.add(active);
    return () => void this.#faults.delete(active);
  }

  /** The requests whose `METHOD url` contains the text. */
  requests(part: string): readonly SeenRequest[] {
    return this.seen.filter((request) => nameOf(request).includes(part));
  }

  readonly fetch: FetchLike = async (url, init) => {
    const given = new Request(url, { ...init, signal: null });
    const body = await given.text();
    const { method, headers } = given;
    const signal = init.signal ?? undefined;
    const request = { method, url: new URL(url), headers, body, form: new URLSearchParams(body), signal };
    signal?.throwIfAborted();
    this.seen.push(request);
    const response = await this.#respond(request);
    signal?.throwIfAborted();
    return response;
  };

  async #respond(request: SeenRequest): Promise<Response> {
    for (const active of this.#faults)
      if (active.left > 0 && nameOf(request).includes(active.fault.at)) {
        active.left--;
        return active.fault.respond(request);
      }
    const hosts = this.#hosts.get(request.url.origin);
    if (!hosts) throw new TypeError("fetch failed");
    let response = new Response(null, { status: 404 });
    for (const host of hosts) {
      response = await host(request);
      if (response.status !== 404) break;
    }
    return response;
  }
}

/** Responds to no request until it is aborted. */
export const hang: FakeHost = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });

/** Fails like a host that cannot be reached. */
export const down: FakeHost = () => {
  throw new TypeError("fetch failed");
};

/** Responds with JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store", ...headers } });
}

function nameOf({ method, url }: SeenRequest): string {
  return `${method} ${url.href}`;
}
