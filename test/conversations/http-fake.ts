import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import type { Transport } from "../../runtime/src/transport/transport.js";

/**
 * The server's end of an HTTP connection for a script: no sessions, one client. Responses go to the POST of their request,
 * all other messages over the newest open stream: that of a POST, or the one opened by GET.
 */
export class FakeHttp implements Transport {
  onmessage?: ((message: unknown) => void) | undefined;
  onclose?: ((error?: Error) => void) | undefined;
  readonly #listener: Server;
  /** Requests without a response yet, by id. */
  readonly #waiting = new Map<unknown, ServerResponse>();
  #listening: ServerResponse | undefined;
  /** Messages that wait for a stream. */
  #outbox: unknown[] = [];

  constructor() {
    this.#listener = createServer((request, response) => void this.#serve(request, response));
  }

  async listen(): Promise<{ readonly url: URL }> {
    await new Promise<void>((resolve) => this.#listener.listen(0, "127.0.0.1", resolve));
    return { url: new URL(`http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}/mcp`) };
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: unknown): void {
    const { id, method } = message as { id?: unknown; method?: unknown };
    const response = method === undefined ? this.#waiting.get(id) : undefined;
    if (!response) {
      const stream = [...this.#waiting.values()].at(-1) ?? this.#listening;
      if (stream) write(stream, message);
      else this.#outbox.push(message);
      return;
    }
    this.#waiting.delete(id);
    if (response.headersSent) {
      write(response, message);
      response.end();
    } else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
  }

  close(): Promise<void> {
    this.#listener.close();
    this.#listener.closeAllConnections();
    this.onclose?.();
    return Promise.resolve();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      this.#listening = response;
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      for (const message of this.#outbox.splice(0)) write(response, message);
      return;
    }
    const body = await textOf(request);
    if (request.method !== "POST") return void response.writeHead(200).end();
    const message = JSON.parse(body) as { id?: unknown; method?: unknown };
    if (message.method === undefined || message.id === undefined) response.writeHead(202).end();
    else {
      this.#waiting.set(message.id, response);
      response.on("close", () => this.#waiting.delete(message.id));
    }
    this.onmessage?.(message);
  }
}

function write(response: ServerResponse, message: unknown): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify(message)}\n\n`);
}
