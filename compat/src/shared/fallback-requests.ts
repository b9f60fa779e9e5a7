import type { JSONRPCRequest, Request } from "../types/index.js";

/**
 * The method under which the runtime gets the requests for `fallbackRequestHandler`. Under their own methods, clients could fill tables
 * that last as long as the process.
 */
export const FALLBACK_METHOD = "mcpwright/fallback";

/** Wraps a request for the runtime. */
export function wrapRequest({ id, method, params }: JSONRPCRequest): JSONRPCRequest {
  const _meta = params?._meta;
  const wrapped: Request = { method, ...(params && { params }) };
  return { jsonrpc: "2.0", id, method: FALLBACK_METHOD, params: { ...(_meta && { _meta }), wrapped } };
}

/** Returns the method and the params of the request that these params of the runtime contain. */
export function wrappedRequest(params: object | undefined): Request {
  return (params as { readonly wrapped: Request }).wrapped;
}
