import { createHostGuard, type HostGuardOptions } from "../http-server/host-guard.js";
import type { Gateway } from "./gateway.js";
import type { GatewayServerState } from "./gateway-server-state.js";
import { page, script, style } from "./status/page.js";
import { StatusReport } from "./status/status-report.js";

export type { GatewayStatus, ServerStatus } from "./status/status-report.js";

export interface StatusPageOptions extends HostGuardOptions {
  /** How the transport of a server is named. Default: `url`, `memory` or `custom`, by its options. */
  readonly transportOf?: (server: GatewayServerState) => string;
}

/** The members of a request of `node:http` that are read. */
export interface StatusRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

/** The members of a response of `node:http` that are used. */
export interface StatusResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body?: string): unknown;
}

export interface StatusPage {
  /** Responds to `GET` and `HEAD` of `/status`, `/status.json`, `/status.js` and `/status.css`; other paths get 404. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for `node:http` and `fallback` of `serveHttp`. Without `allowedHosts`, it serves only programs of this machine. */
  readonly listener: (request: StatusRequest, response: StatusResponse) => void;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Serves a page with the state of a gateway: its servers, losses, last errors without secrets, and calls per second. The page updates
 * itself, and loads nothing from other hosts. It needs no token, so it is for operators: requests with another `Host` than a loopback name
 * are refused, unless `allowedHosts` has it.
 * @example
 * ```ts
 * await serveHttp(gateway, { port: 3000, fallback: createStatusPage(gateway).listener });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function createStatusPage(gateway: Gateway, options: StatusPageOptions = {}): StatusPage {
  const guard = createHostGuard(options);
  const report = new StatusReport(gateway, options.transportOf ?? (({ transport }) => transport));

  const replyTo = (method: string, path: string, header: (name: string) => string | undefined): Reply => {
    const refused = guard.refusal(header);
    if (refused) return { ...refused, headers: { ...headers, ...refused.headers } };
    const served = contentOf(path, report);
    if (!served) return text(404, "Not Found");
    if (method !== "GET" && method !== "HEAD") return text(405, "Method Not Allowed");
    const [type, body] = served;
    return { status: 200, headers: { ...headers, "content-type": type }, body: method === "HEAD" ? "" : body };
  };

  return {
    fetch: ({ method, url, headers: given }) => {
      const { pathname, host } = new URL(url);
      const {
        status,
        headers: sent,
        body,
      } = replyTo(method, pathname, (name) => given.get(name) ?? (name === "host" ? host : undefined));
      return Promise.resolve(new Response(body, { status, headers: sent }));
    },
    listener: ({ method = "GET", url = "", headers: given, socket }, response) => {
      const isLocal = options.allowedHosts !== undefined || isLoopback(socket?.remoteAddress);
      const {
        status,
        headers: sent,
        body,
      } = isLocal
        ? replyTo(method, url.split("?", 1)[0] ?? "", (name) => given[name]?.toString())
        : text(403, "Forbidden: the status page is for programs of this machine");
      response.writeHead(status, sent);
      response.end(body);
    },
  };
}

const headers = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

function text(status: number, body: string): Reply {
  return { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" }, body };
}

function contentOf(path: string, report: StatusReport): readonly [type: string, body: string] | undefined {
  switch (path) {
    case "/status":
      return ["text/html; charset=utf-8", page];
    case "/status.json":
      return ["application/json", JSON.stringify(report.now())];
    case "/status.js":
      return ["text/javascript; charset=utf-8", script];
    case "/status.css":
      return ["text/css; charset=utf-8", style];
    default:
      return undefined;
  }
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
}
