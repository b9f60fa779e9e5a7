import { isJsonContentType } from "../shared/request-body.js";
import type { JSONRPCMessage } from "../types/index.js";
import { parseJSONRPCMessage } from "../types/index.js";
import { HttpRefusal, refusal } from "./http-refusal.js";
import { parseRequestBody } from "./parse-request-body.js";
import type { ReceivedRequest } from "./received-request.js";

/** The most messages of a batch. */
const maxBatch = 100;

/**
 * Reads the messages of a POST.
 * @param parsedBody the value of the body, if a framework has read it already
 * @throws HttpRefusal for a body that has no valid messages
 */
export async function readMessages(
  request: ReceivedRequest,
  parsedBody: unknown,
  maxBytes: number,
): Promise<readonly JSONRPCMessage[]> {
  if (!isJsonContentType(request.headers.get("content-type")))
    throw refusal(415, "Unsupported Media Type: Content-Type must be application/json");
  const value = parsedBody === undefined ? await readJson(request, maxBytes) : parsedBody;
  if (Array.isArray(value) && value.length > maxBatch)
    throw new HttpRefusal(400, -32600, `Invalid Request: Batch must not exceed ${maxBatch} messages`);
  try {
    return (Array.isArray(value) ? value : [value]).map((one) => parseJSONRPCMessage(one));
  } catch {
    throw new HttpRefusal(400, -32700, "Parse error: Invalid JSON-RPC message");
  }
}

async function readJson(request: ReceivedRequest, maxBytes: number): Promise<unknown> {
  const body = await parseRequestBody(request, maxBytes);
  if ("problem" in body) throw new HttpRefusal(body.status, body.code, body.problem);
  return body.message;
}
