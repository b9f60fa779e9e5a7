import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import { toWebRequest } from "../../node/web-request.js";
import { isJsonContentType } from "../../shared/request-body.js";
import { parseJSONRPCMessage } from "../../types/guards.js";
import type { AuthInfo, JSONRPCMessage } from "../messages.js";
import type { MessageExtraInfo, RequestInfo, Transport } from "../shared/transport.js";
import { type AllowedSources, sourceProblem } from "../../server/http-refusal.js";
import { MAX_UNREAD_BYTES } from "../../server/sse-writer.js";

export type SSEServerTransportOptions = AllowedSources & {
  allowedHosts?: string[] | undefined;
  allowedOrigins?: string[] | undefined;
};

/**
 * HTTP+SSE of the protocol version 2024-11-05: a GET opens a stream, and each POST has one message.
 * @deprecated use StreamableHTTPServerTransport
 */
export class SSEServerTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #sessionId = crypto.randomUUID();
  readonly #endpoint: string;
  readonly #response: ServerResponse;
  readonly #options: SSEServerTransportOptions;
  #stream: ServerResponse | undefined;

  /** @param endpoint the path to which the client sends its messages */
  constructor(endpoint: string, res: ServerResponse, options: SSEServerTransportOptions = {}) {
    this.#endpoint = endpoint;
    this.#response = res;
    this.#options = options;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async start(): Promise<void> {
    if (this.#stream)
      throw new Error(
        "SSEServerTransport already started! If using Server class, note that connect() calls start() automatically.",
      );
    const stream = (this.#stream = this.#response);
    stream.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      Connection: "keep-alive",
    });
    const url = new URL(this.#endpoint, "http://localhost");
    url.searchParams.set("sessionId", this.#sessionId);
    stream.write(`event: endpoint\ndata: ${url.pathname}${url.search}${url.hash}\n\n`);
    stream.on("close", () => {
      this.#stream = undefined;
      this.onclose?.();
    });
  }

  /** Handles a POST of the client. */
  async handlePostMessage(
    req: IncomingMessage & { auth?: AuthInfo | undefined },
    res: ServerResponse,
    parsedBody?: unknown,
  ): Promise<void> {
    if (!this.#stream) {
      const problem = "SSE connection not established";
      res.writeHead(500).end(problem);
      throw new Error(problem);
    }
    const refused = sourceProblem(this.#options, req.headers.host, req.headers.origin);
    if (refused !== undefined) {
      res.writeHead(403).end(refused);
      this.onerror?.(new Error(refused));
      return;
    }
    let body: unknown = parsedBody;
    try {
      const type = req.headers["content-type"];
      if (!isJsonContentType(type)) throw new Error(`Unsupported content-type: ${type ?? "none"}`);
      body ??= await (await toWebRequest(req)).text();
    } catch (error) {
      res.writeHead(400).end(String(error));
      this.onerror?.(error as Error);
      return;
    }
    try {
      const value: unknown = typeof body === "string" ? JSON.parse(body) : body;
      await this.handleMessage(value, { requestInfo: infoOf(req), authInfo: req.auth });
    } catch {
      res.writeHead(400).end(`Invalid message: ${typeof body === "string" ? body : JSON.stringify(body)}`);
      return;
    }
    res.writeHead(202).end("Accepted");
  }

  /** Passes a message of the client on. @throws TypeError (a rejection) when it is invalid */
  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async handleMessage(message: unknown, extra?: MessageExtraInfo): Promise<void> {
    let parsed: JSONRPCMessage;
    try {
      parsed = parseJSONRPCMessage(message);
    } catch (error) {
      this.onerror?.(error as Error);
      throw error;
    }
    this.onmessage?.(parsed, extra);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async send(message: JSONRPCMessage): Promise<void> {
    const stream = this.#stream;
    if (!stream) throw new Error("Not connected");
    stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy(new Error("the client does not read its stream"));
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the signature of transports
  async close(): Promise<void> {
    this.#stream?.end();
    this.#stream = undefined;
    this.onclose?.();
  }
}

function infoOf({ headers, url, socket }: IncomingMessage): RequestInfo {
  const { host } = headers;
  const scheme = socket instanceof TLSSocket ? "https" : "http";
  return { headers, ...(host !== undefined && url !== undefined && { url: new URL(url, `${scheme}://${host}`) }) };
}
