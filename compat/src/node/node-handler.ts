import type { AuthInfo } from "../types/index.js";
import { refusalBody } from "../shared/host-guards.js";
import { resolveMaxRequestBodySize } from "../shared/request-body.js";
import type { HttpReply } from "../server/http-reply.js";
import type { ReceivedRequest } from "../server/received-request.js";
import { NodeRequest } from "./node-request.js";
import { type NodeIncomingMessageLike, RequestBodyTooLargeError, readBody, toWebRequest } from "./web-request.js";
import { disconnectSignal, type NodeServerResponseLike, writeReply, writeWebResponse } from "./web-response.js";

/** What a handler learns of a request in addition to its content. */
export interface McpHandlerRequestOptions {
  authInfo?: AuthInfo | undefined;
  /** The value of the body, if a framework has read it already. */
  parsedBody?: unknown;
}

/** A handler of requests of the Web platform. */
export interface FetchLikeMcpHandler {
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
}

/** Handles a request of Node. The `next` of express, as third argument, is not a body. */
export type NodeMcpRequestHandler = (
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
  parsedBody?: unknown,
) => Promise<void>;

export interface ToNodeHandlerOptions {
  /** Called with errors that the handler throws; the client gets 500. */
  onerror?: (error: Error) => void;
  /** The largest body that is read, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Serves requests of Node by a handler of the Web platform. */
export function toNodeHandler(
  handler: FetchLikeMcpHandler,
  { onerror, maxRequestBodySize }: ToNodeHandlerOptions = {},
): NodeMcpRequestHandler {
  const maxBytes = resolveMaxRequestBodySize(maxRequestBodySize);
  return async (request, response, third) => {
    const parsedBody = typeof third === "function" ? undefined : third;
    const signal = disconnectSignal(response);
    const respond = async (): Promise<Response> => {
      const converted = await toWebRequest(request, parsedBody, { signal, maxRequestBodySize: maxBytes });
      const { auth: authInfo } = request;
      return handler.fetch(converted, {
        ...(authInfo && { authInfo }),
        ...(parsedBody !== undefined && { parsedBody }),
      });
    };
    await writeWebResponse(
      await respond().catch((error: unknown) => failure(error, parsedBody, onerror)),
      response,
      signal,
    );
  };
}

/** Serves requests of Node without those of the Web platform, which cost more than the rest of a call. */
export function serveNode(
  serve: (request: ReceivedRequest, options: McpHandlerRequestOptions) => Promise<HttpReply | Response>,
  { onerror, maxRequestBodySize }: ToNodeHandlerOptions,
): NodeMcpRequestHandler {
  const maxBytes = resolveMaxRequestBodySize(maxRequestBodySize);
  return async (request, response, third) => {
    const parsedBody = typeof third === "function" ? undefined : third;
    let reply: HttpReply | Response;
    try {
      const read = readBody(request, parsedBody, maxBytes);
      const received = new NodeRequest(request, response, typeof read === "string" ? read : await read, parsedBody);
      const { auth: authInfo } = request;
      reply = await serve(received, { ...(authInfo && { authInfo }), ...(parsedBody !== undefined && { parsedBody }) });
    } catch (error) {
      reply = failure(error, parsedBody, onerror);
    }
    if ("arrayBuffer" in reply) await writeWebResponse(reply, response, disconnectSignal(response));
    else await writeReply(reply, response);
  };
}

function failure(error: unknown, parsedBody: unknown, onerror: ((error: Error) => void) | undefined): Response {
  if (error instanceof RequestBodyTooLargeError)
    return Response.json(refusalBody(error.message), { status: error.status, headers: { connection: "close" } });
  try {
    onerror?.(error instanceof Error ? error : new Error(String(error)));
  } catch {
    // The client gets a response also when the callback fails.
  }
  const body = { jsonrpc: "2.0", error: { code: -32603, message: "Internal server error" }, id: requestId(parsedBody) };
  return Response.json(body, { status: 500 });
}

function requestId(body: unknown): string | number | null {
  const { method, id } = Object(body) as { readonly method?: unknown; readonly id?: unknown };
  return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? id : null;
}
