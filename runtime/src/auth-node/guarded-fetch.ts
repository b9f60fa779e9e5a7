import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { AuthorizationError } from "../auth.js";
import type { FetchLike } from "../http-client/fetch-like.js";
import { AddressGuard, type AddressGuardOptions } from "./address-guard.js";
import { acceptedCodings, decodeBody } from "./decode-body.js";

export type GuardedFetchOptions = AddressGuardOptions;

/** Milliseconds without any data. Callers have shorter limits, by their signals. */
const idleLimit = 300_000;

/**
 * Returns a `fetch` for Node that connects to public addresses only. Pass it as the option `fetch` of a provider in a program
 * that connects to servers which it does not know: their metadata contains URLs of their choice, and could make the program
 * send requests into its own network (server-side request forgery).
 *
 * The address that a connection uses is checked, not the name: names that resolve to another address each time (DNS
 * rebinding) and unusual spellings of an address do not help. Loopback, private, link-local and reserved addresses are
 * refused, also when an IPv6 address contains them; hosts in the option `allow` may have loopback and private ones.
 *
 * Redirects are not followed: a 3xx response is returned for `redirect: "manual"`, and is a failure otherwise. Each request
 * has a connection of its own, to which proxies do not apply. Members of `RequestInit` about caches, cookies and CORS have no
 * effect.
 * @returns a function that throws AuthorizationError `insecure-url` for a refused address, and like the global `fetch` a
 * TypeError whose `cause` is the failure of the connection
 * @throws SdkError `INVALID_CONFIGURATION` when an entry of `allow` is not a host
 * @example
 * ```ts
 * const provider = new ClientCredentialsProvider({
 *   clientId: "reports",
 *   clientSecret: process.env["CLIENT_SECRET"] ?? "",
 *   fetch: guardedFetch({ allow: ["auth.corp.example"] }),
 * });
 * ```
 */
export function guardedFetch(options: GuardedFetchOptions = {}): FetchLike {
  const guard = new AddressGuard(options);
  return async (url, init) => {
    const { signal, redirect } = init;
    signal?.throwIfAborted();
    try {
      const message = await send(url, init, guard);
      const response = await toResponse(url, init, message);
      if (redirect === "manual" || !isRedirect(response.status)) return response;
      message.destroy();
      throw new TypeError(`${url.origin} redirects, which guardedFetch does not follow: pass redirect "manual"`);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AuthorizationError || error instanceof TypeError) throw error;
      throw new TypeError("fetch failed", { cause: error });
    }
  };
}

async function send(url: URL, init: RequestInit, guard: AddressGuard): Promise<IncomingMessage> {
  // Checks the members, adds the content type of the body, and serializes it.
  const request = new Request(url, { ...init, signal: null });
  const isHttps = url.protocol === "https:";
  if (!isHttps && url.protocol !== "http:") throw new TypeError(`${url.protocol} is not a scheme of HTTP`);
  guard.assertLiteral(url);
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
  const headers = Object.fromEntries(request.headers);
  return new Promise((resolve, reject) => {
    const outgoing = (isHttps ? requestHttps : requestHttp)(url, {
      method: request.method,
      headers: {
        accept: "*/*",
        "accept-encoding": acceptedCodings,
        "user-agent": "mcpwright",
        ...headers,
        ...((body ?? request.method !== "GET") && { "content-length": body?.byteLength ?? 0 }),
      },
      // An open connection of another agent would be used without a lookup.
      agent: false,
      lookup: (...lookup) => guard.resolve(...lookup),
      timeout: idleLimit,
      ...(init.signal && { signal: init.signal }),
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no data for ${idleLimit / 1_000} s`)));
    outgoing.on("response", resolve).on("error", reject).end(body);
  });
}

async function toResponse(url: URL, { method, signal }: RequestInit, message: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = message;
  // The `Response` by which `@hono/node-server` replaces the global one accepts every number.
  if (status < 200 || status > 599) {
    message.destroy();
    throw new RangeError(`the server sent ${status}, which is not a status of HTTP`);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const hasBody = method?.toUpperCase() !== "HEAD" && ![204, 205, 304].includes(status);
  const body = hasBody ? await decodeBody(message) : undefined;
  if (body && body !== message) for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  if (!hasBody) message.resume();
  const response = new Response(hasBody ? toWebStream(body ?? message, message, signal) : null, {
    status,
    statusText,
    headers,
  });
  return Object.defineProperty(response, "url", { value: url.href });
}

/** Reads a chunk when the reader asks for it, and no sooner. */
function toWebStream(
  body: Readable,
  message: IncomingMessage,
  signal?: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array, undefined> = body.iterator();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          message.destroy();
          signal?.throwIfAborted();
          throw new TypeError("terminated", { cause: error });
        }
      },
      cancel() {
        body.destroy();
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
