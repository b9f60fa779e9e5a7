import { isJsonContentType } from "../shared/request-body.js";
import { errorResponse } from "./parse-request-body.js";

/** The guards of a transport against pages of other sites. */
export interface RebindingOptions {
  readonly enableDnsRebindingProtection: boolean;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
}

/** Returns the response to a request with a wrong `Host` or `Origin`. */
export function rebindingRefusal(request: Request, options: RebindingOptions): Response | undefined {
  const { enableDnsRebindingProtection, allowedHosts, allowedOrigins } = options;
  if (!enableDnsRebindingProtection) return undefined;
  const host = request.headers.get("host");
  if (allowedHosts?.length && !(host !== null && allowedHosts.includes(host)))
    return errorResponse(403, -32000, `Invalid Host header: ${String(host)}`);
  const origin = request.headers.get("origin");
  if (allowedOrigins?.length && origin !== null && !allowedOrigins.includes(origin))
    return errorResponse(403, -32000, `Invalid Origin header: ${origin}`);
  return undefined;
}

/** Returns the response to a POST or GET whose headers name other types of content than the transport has. */
export function contentRefusal(request: Request): Response | undefined {
  const accept = request.headers.get("accept") ?? "";
  if (request.method === "GET")
    return accept.includes("text/event-stream")
      ? undefined
      : errorResponse(406, -32000, "Not Acceptable: Client must accept text/event-stream");
  if (!accept.includes("application/json") || !accept.includes("text/event-stream"))
    return errorResponse(406, -32000, "Not Acceptable: Client must accept both application/json and text/event-stream");
  return isJsonContentType(request.headers.get("content-type"))
    ? undefined
    : errorResponse(415, -32000, "Unsupported Media Type: Content-Type must be application/json");
}

/** Returns the response to a request of another session, or before there is one. */
export function sessionRefusal(request: Request, sessionId: string | undefined): Response | undefined {
  if (sessionId === undefined) return errorResponse(400, -32000, "Bad Request: Server not initialized");
  const named = request.headers.get("mcp-session-id");
  if (named === null) return errorResponse(400, -32000, "Bad Request: Mcp-Session-Id header is required");
  return named === sessionId ? undefined : errorResponse(404, -32001, "Session not found");
}

/** Returns the response to a request of a version that the server does not support. */
export function versionRefusal(request: Request, supported: readonly string[]): Response | undefined {
  const version = request.headers.get("mcp-protocol-version");
  if (version === null || supported.includes(version)) return undefined;
  return errorResponse(
    400,
    -32000,
    `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported.join(", ")})`,
  );
}
