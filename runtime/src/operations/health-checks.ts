import { reportTo, reportUserErrorTo } from "../connection/error-reporting.js";
import type { Endpoint } from "../http-server/endpoint.js";
import type { McpHttpHandler } from "../http-server/mcp-handler.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { withTimeLimit } from "../timing/with-time-limit.js";

export interface HealthChecksOptions {
  /** Milliseconds after which a backplane that does not respond counts as away. Default: `1_000`. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a result is used again, so that many requests do not reach the backplane. Default: `1_000`. */
  readonly maxAgeMs?: number;
}

/** Why a process should get no further requests. */
export type NotReadyReason =
  /** There is no handler yet. */
  | "starting"
  /** The handler shuts down. */
  | "draining"
  /** The backplane of the server cannot be reached. */
  | "backplane";

export interface HealthChecks {
  /** Returns why the process should get no further requests; undefined when it is ready. Rejects only with what `handlerOf` throws. */
  readonly notReady: () => Promise<NotReadyReason | undefined>;
  /**
   * Responds to `GET` and `HEAD` of `/healthz`, always with 200, and of `/readyz`, with 200 or 503 and the reason. Other paths get 404. When
   * `handlerOf` throws, the error is printed, and `/readyz` gets 500. May be passed on without the object.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for `node:http`, express and `fallback` of `serveHttp`. */
  readonly listener: (request: NodeRequest, response: NodeResponse) => void;
}

/** The members of a request of `node:http` that are read. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** The members of a response of `node:http` that are used. */
export interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body?: string): unknown;
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/**
 * Answers the health checks of a platform. They need neither a host name nor a token, and reveal nothing else.
 * @param handlerOf returns the handler; undefined until it has been created
 * @example
 * ```ts
 * let served: HttpServerHandle | undefined;
 * const { listener } = healthChecks(() => served?.handler);
 * served = await serveHttp(server, { port: 3000, fallback: listener });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` for an invalid number
 */
export function healthChecks(
  handlerOf: () => McpHttpHandler | undefined,
  options: HealthChecksOptions = {},
): HealthChecks {
  assertNumberOptions(options);
  const { timeoutMs = 1_000, maxAgeMs = 1_000 } = options;
  let checkedAt = -Infinity;
  let isReached: Promise<boolean> | undefined;

  const reachesBackplane = (endpoint: Endpoint): Promise<boolean> => {
    const now = performance.now();
    if (!isReached || now - checkedAt >= maxAgeMs) {
      checkedAt = now;
      isReached = checkBackplane(endpoint, timeoutMs);
    }
    return isReached;
  };

  const notReady = async (): Promise<NotReadyReason | undefined> => {
    const endpoint = handlerOf()?.endpoint as Endpoint | undefined;
    if (!endpoint) return "starting";
    if (endpoint.isDraining) return "draining";
    return (await reachesBackplane(endpoint)) ? undefined : "backplane";
  };

  const readiness = async (): Promise<Reply> => {
    try {
      const reason = await notReady();
      return reason ? { status: 503, body: reason } : ready;
    } catch (error) {
      reportUserErrorTo({}, error);
      return { status: 500, body: "Internal Server Error" };
    }
  };

  const replyTo = async (method: string, path: string): Promise<Reply> => {
    if (path !== "/healthz" && path !== "/readyz") return { status: 404, body: "Not Found" };
    if (method !== "GET" && method !== "HEAD") return { status: 405, body: "Method Not Allowed" };
    const { status, body } = path === "/readyz" ? await readiness() : ready;
    return { status, body: method === "HEAD" ? "" : body };
  };

  return {
    notReady,
    fetch: async ({ method, url }) => {
      const { status, body } = await replyTo(method, new URL(url).pathname);
      return new Response(body, { status, headers });
    },
    listener: ({ method = "GET", url = "" }, response) => {
      void replyTo(method, url.split("?", 1)[0] ?? "").then(({ status, body }) => {
        response.writeHead(status, headers);
        response.end(body);
      });
    },
  };
}

const ready: Reply = { status: 200, body: "ok" };

const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

/** Any key: whether there is a value does not matter. */
const probedKey = "health";

async function checkBackplane({ server }: Endpoint, timeoutMs: number): Promise<boolean> {
  const { backplane } = server.options;
  if (!backplane) return true;
  try {
    const probed = Promise.resolve(backplane.get(probedKey));
    await withTimeLimit(probed, timeoutMs, () => new Error(`no response within ${timeoutMs} ms`));
    return true;
  } catch (error) {
    reportTo(server.options, error);
    return false;
  }
}
