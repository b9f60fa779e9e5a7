import { eraOf } from "@mcpwright/runtime/server";
import { createMcpHandler, type McpHandlerRequestOptions } from "./create-mcp-handler.js";
import type { McpServerFactory } from "./mcp-server-factory.js";
import { parseRequestBody } from "./parse-request-body.js";

/** Serves the requests of clients with a handshake. */
export type LegacyHttpHandler = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

export interface LegacyStatelessFallbackOptions {
  /** Maximum size of a request body in bytes. Default: `4_194_304`. */
  maxRequestBodySize?: number;
}

export type IsLegacyRequestOptions = LegacyStatelessFallbackOptions;

/** Serves each request of a client with a handshake by a server of its own, without sessions. */
export function legacyStatelessFallback(
  factory: McpServerFactory,
  onerror?: (error: Error) => void,
  options: LegacyStatelessFallbackOptions = {},
): LegacyHttpHandler {
  const handler = createMcpHandler(factory, { ...options, ...(onerror && { onerror }) });
  return handler.fetch;
}

/**
 * Whether a request belongs to a client with a handshake, for programs that serve these clients in another way.
 * @param parsedBody the parsed body, if the host has already read it; otherwise a copy of the request is read
 */
export async function isLegacyRequest(
  request: Request,
  parsedBody?: unknown,
  options: IsLegacyRequestOptions = {},
): Promise<boolean> {
  if (request.method !== "POST") return true;
  if (parsedBody !== undefined) return eraOf(parsedBody) === "handshake";
  const body = await parseRequestBody(request.clone(), options.maxRequestBodySize);
  // Neither kind of handler serves a body that is too large.
  if ("problem" in body) return body.status !== 413;
  return eraOf(body.message) === "handshake";
}
