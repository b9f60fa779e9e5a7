import { type HttpReply, jsonReply } from "./http-reply.js";
import { errorMessage } from "./parse-request-body.js";
import type { ReceivedRequest } from "./received-request.js";

/** An HTTP request that is refused: `respond` returns the response, whose body is a JSON-RPC error. */
export class HttpRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  respond(data?: unknown): HttpReply {
    const { status, code, message, headers } = this;
    return jsonReply(errorMessage(code, message, { data }), status, headers);
  }
}

/** A refusal with the code that the official SDK has for most problems. */
export function refusal(status: number, message: string): HttpRefusal {
  return new HttpRefusal(status, -32000, message);
}

export function sessionNotFound(): HttpRefusal {
  return new HttpRefusal(404, -32001, "Session not found");
}

/** @throws HttpRefusal when the client does not accept these media types */
export function assertAccepts(request: ReceivedRequest, mediaTypes: readonly string[], problem: string): void {
  const accept = request.headers.get("accept");
  if (!mediaTypes.every((type) => accept?.includes(type))) throw refusal(406, `Not Acceptable: Client must ${problem}`);
}

/** @throws HttpRefusal when the client names a protocol version that is not supported */
export function assertProtocolVersion(request: ReceivedRequest, supported: readonly string[]): void {
  const version = request.headers.get("mcp-protocol-version");
  if (version === null || supported.includes(version)) return;
  const list = supported.join(", ");
  throw refusal(400, `Bad Request: Unsupported protocol version: ${version} (supported versions: ${list})`);
}

export interface AllowedSources {
  /** Values of the `Host` header. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Values of the `Origin` header. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Whether these headers are checked. Default: `false`. */
  readonly enableDnsRebindingProtection?: boolean | undefined;
}

/** Returns why a request with these headers is not allowed. */
export function sourceProblem(
  { allowedHosts = [], allowedOrigins = [], enableDnsRebindingProtection = false }: AllowedSources,
  host: string | null | undefined,
  origin: string | null | undefined,
): string | undefined {
  if (!enableDnsRebindingProtection) return undefined;
  if (allowedHosts.length > 0 && (!host || !allowedHosts.includes(host))) return `Invalid Host header: ${host}`;
  if (allowedOrigins.length > 0 && origin && !allowedOrigins.includes(origin))
    return `Invalid Origin header: ${origin}`;
  return undefined;
}
