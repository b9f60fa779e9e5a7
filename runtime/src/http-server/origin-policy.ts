import {
  ACCEPT,
  CONTENT_TYPE,
  LAST_EVENT_ID,
  METHOD,
  NAME,
  PARAM_PREFIX,
  PROTOCOL_VERSION,
  SESSION_ID,
} from "../http/headers.js";
import type { HttpHeaders, HttpRequest } from "./host-adapter.js";
import type { McpHandlerOptions } from "./options.js";
import { HttpRejection } from "./rejection.js";

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const none: HttpHeaders = {};
const paramHeader = new RegExp(`^${PARAM_PREFIX}[\\w!#$%&'*+.^\`|~-]+$`);

/** Checks `Host` and `Origin` of requests to prevent DNS rebinding, and creates CORS headers. */
export class OriginPolicy {
  readonly #hosts: ReadonlySet<string> | undefined;
  /** The CORS headers for each allowed origin. */
  readonly #cors: ReadonlyMap<string, HttpHeaders>;
  readonly #requestHeaders: readonly string[];
  /** The last accepted `Host`; most requests have the same one. */
  #host: string | undefined;

  constructor({ allowedHosts = loopback, allowedOrigins = [], allowedHeaders = [] }: McpHandlerOptions) {
    this.#requestHeaders = [...requestHeaders, ...allowedHeaders];
    this.#hosts = allowedHosts === "any" ? undefined : new Set(allowedHosts.map((host) => host.toLowerCase()));
    this.#cors = new Map(allowedOrigins.map((origin) => [origin, corsHeaders(origin)]));
  }

  /**
   * Returns the rejection for a wrong `Host` or `Origin`; undefined when both are accepted.
   * @param isPublic whether pages of every origin may read the response
   */
  refusal(request: Pick<HttpRequest, "header">, isPublic = false): HttpRejection | undefined {
    const named = request.header("host") ?? "";
    const host = named === this.#host ? named : named.toLowerCase();
    if (host !== this.#host) {
      // A second `Host` is joined with a comma. Both it and an invalid value must get 400 (RFC 9112, 3.2).
      if (!/^[\w.~%!$&'()*+;=:[\]-]*$/.test(host)) return new HttpRejection(400, "Bad Request: send one valid Host");
      if (this.#hosts && !this.#hosts.has(host) && !this.#hosts.has(host.replace(/:\d*$/, "")))
        return new HttpRejection(403, "Forbidden: this Host is not allowed; add it to allowedHosts");
      this.#host = host;
    }
    const origin = request.header("origin");
    if (isPublic || origin === undefined || this.#cors.has(origin)) return undefined;
    if (/^https?:\/\/(.+)$/.exec(origin)?.[1] === host) return undefined;
    return new HttpRejection(403, "Forbidden: this Origin is not allowed; add it to allowedOrigins");
  }

  /** The headers of every response to a request: those that let a browser read it, and those of its authentication. */
  headers(request: HttpRequest): HttpHeaders {
    const more = request.authenticated?.headers;
    const cors = this.#cors.size === 0 ? none : (this.#cors.get(request.header("origin") ?? "") ?? none);
    return more ? { ...cors, ...more } : cors;
  }

  /** The headers of the response to a preflight request. */
  preflight(request: HttpRequest): HttpHeaders {
    const requested = (request.header("access-control-request-headers") ?? "").toLowerCase().split(",");
    const params = requested.map((name) => name.trim()).filter((name) => paramHeader.test(name));
    return {
      ...this.headers(request),
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": [...this.#requestHeaders, ...params].join(", "),
      "access-control-max-age": "86400",
    };
  }
}

const requestHeaders = [
  ACCEPT,
  "authorization",
  "dpop",
  CONTENT_TYPE,
  LAST_EVENT_ID,
  METHOD,
  NAME,
  PROTOCOL_VERSION,
  SESSION_ID,
  "traceparent",
  "tracestate",
  "baggage",
];

function corsHeaders(origin: string): HttpHeaders {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": `${SESSION_ID}, ${PROTOCOL_VERSION}, www-authenticate, dpop-nonce, retry-after`,
    vary: "origin",
  };
}
