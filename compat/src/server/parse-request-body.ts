import type { ReceivedRequest } from "./received-request.js";
import { DEFAULT_MAX_REQUEST_BODY_SIZE, readRequestBody, requestBodyTooLargeMessage } from "../shared/request-body.js";

/** The parsed body of a POST, or why there is none. */
export type ParsedBody =
  { readonly message: unknown } | { readonly status: number; readonly problem: string; readonly code: number };

/** Reads and parses the body of a POST. */
export async function parseRequestBody(request: ReceivedRequest, maxBytes: number | undefined): Promise<ParsedBody> {
  const limit = maxBytes ?? DEFAULT_MAX_REQUEST_BODY_SIZE;
  try {
    const read = await readRequestBody(request, limit);
    if (read.tooLarge) return { status: 413, code: -32000, problem: requestBodyTooLargeMessage(limit) };
    return { message: JSON.parse(read.text) };
  } catch {
    return { status: 400, code: -32700, problem: "Parse error: Invalid JSON" };
  }
}

/** A response with a JSON-RPC error. */
export function errorResponse(
  status: number,
  code: number,
  message: string,
  more: { readonly data?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly id?: unknown } = {},
): Response {
  const { headers } = more;
  return Response.json(errorMessage(code, message, more), { status, ...(headers && { headers }) });
}

/** A JSON-RPC error. */
export function errorMessage(
  code: number,
  message: string,
  { data, id = null }: { readonly data?: unknown; readonly id?: unknown } = {},
): object {
  return { jsonrpc: "2.0", error: { code, message, ...(data !== undefined && { data }) }, id };
}
