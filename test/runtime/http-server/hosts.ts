import { type ClientRequest, createServer, type IncomingMessage, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Principal } from "../../../runtime/src/index.js";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler, type McpHandlerOptions, type McpHttpHandler } from "../../../runtime/src/server/http.js";
import type { McpServer, Server } from "../../../runtime/src/server.js";
import { type Block, Blocks } from "./blocks.js";

/** A request as it is sent: only headers that HTTP itself needs are added. */
export interface Sent {
  /** Default: `POST`. */
  readonly method?: string;
  /** Default: `/mcp`. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An object is serialized as JSON. */
  readonly body?: unknown;
  /** The principal that the host has authenticated. */
  readonly principal?: Principal | undefined;
}

export interface Host {
  readonly handler: McpHttpHandler;
  send(sent: Sent): Promise<Answer>;
  /** Sends a request without reading the response. */
  unread(sent: Sent): Unread;
  /** Sends a request and disconnects before the head of the response. */
  sendAndLeave(sent: Sent, left: Promise<unknown>): Promise<void>;
}

export interface Unread {
  /** Whether the head of the response has arrived. */
  readonly opened: Promise<unknown>;
  /** Whether the response was aborted. */
  isCut(): Promise<boolean>;
}

export interface HostKind {
  readonly name: string;
  readonly open: (server: McpServer | Server, options?: McpHandlerOptions) => Promise<Host>;
}

/** The response. */
export class Answer {
  readonly #blocks = new Blocks();
  readonly #done: Promise<void>;

  constructor(
    readonly status: number,
    readonly header: (name: string) => string | undefined,
    chunks: AsyncIterable<Uint8Array>,
    /** Closes the connection. */
    readonly cut: () => void,
  ) {
    this.#done = this.#read(chunks);
  }

  get type(): string | undefined {
    return this.header("content-type");
  }

  /** Returns the whole body. */
  async text(): Promise<string> {
    await this.#done;
    return this.#blocks.text;
  }

  /** Returns the body as JSON. */
  async json(): Promise<never> {
    const text = await this.text();
    return JSON.parse(text) as never;
  }

  /** Returns the next event of a stream that contains a message. */
  async message(): Promise<never> {
    for (;;) {
      const { data } = await this.block();
      if (data) return JSON.parse(data) as never;
    }
  }

  /** Returns the next event, comment or field of a stream. */
  async block(): Promise<Block> {
    const block = await this.#blocks.next();
    if (!block) throw new Error("the stream has ended");
    return block;
  }

  /** Returns the rest of a stream, until it ends. */
  async rest(): Promise<Block[]> {
    await this.#done;
    return this.#blocks.rest();
  }

  /** Returns the remaining messages. */
  async messages(): Promise<never[]> {
    return (await this.rest()).flatMap(({ data }) => (data ? [JSON.parse(data) as never] : []));
  }

  /** The received data that has not been read. */
  get waiting(): readonly Block[] {
    return this.#blocks.waiting;
  }

  /** Whether the response ended regularly; false when the connection broke. */
  async isWhole(): Promise<boolean> {
    await this.#done;
    return !this.#blocks.isBroken;
  }

  async #read(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of chunks) this.#blocks.push(decoder.decode(chunk, { stream: true }));
      this.#blocks.end(false);
    } catch {
      this.#blocks.end(true);
    }
  }
}

const ORIGIN = "http://127.0.0.1";

function printed(body: unknown): string | Uint8Array | undefined {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function headersOf({ headers = {} }: Sent): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined));
}

const fetchHost: HostKind = {
  name: "fetch",
  open(server, options) {
    const handler = createMcpHandler(server, options);
    onTestFinished(() => handler.close(0));
    const start = (sent: Sent): { response: Promise<Response>; left: AbortController } => {
      const left = new AbortController();
      const request = new Request(`${ORIGIN}${sent.path ?? "/mcp"}`, {
        method: sent.method ?? "POST",
        headers: headersOf(sent),
        body: (printed(sent.body) as RequestInit["body"]) ?? null,
        signal: left.signal,
      });
      return { response: handler.fetch(request, sent.principal && { principal: sent.principal }), left };
    };
    return Promise.resolve({
      handler,
      async send(sent) {
        const { response: pending, left } = start(sent);
        const response = await pending;
        const reader = response.body?.getReader();
        return new Answer(
          response.status,
          (name) => response.headers.get(name) ?? undefined,
          chunksOf(reader),
          () => {
            left.abort();
            reader?.cancel().catch(() => undefined);
          },
        );
      },
      unread(sent) {
        const { response } = start(sent);
        return {
          opened: response,
          async isCut() {
            const { body } = await response;
            return body !== null && (await drained(body.getReader()));
          },
        };
      },
      async sendAndLeave(sent, left) {
        const started = start(sent);
        await left;
        started.left.abort();
      },
    });
  },
};

async function drained(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  try {
    while (!(await reader.read()).done);
    return false;
  } catch {
    return true;
  }
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) yield next.value;
}

const nodeHost: HostKind = {
  name: "node:http",
  async open(server, options) {
    const handler = createMcpHandler(server, options);
    const handle = toNodeHandler(handler);
    const principals = new Map<string, Principal>();
    const listener = createServer((request, response) => {
      const principal = principals.get(String(request.headers["x-test-principal"]));
      handle(request, response, principal && { principal });
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      await handler.close(0);
      listener.closeAllConnections();
      listener.close();
    });
    const { port } = listener.address() as AddressInfo;
    const start = (sent: Sent): ClientRequest => {
      const { principal, path = "/mcp", method = "POST" } = sent;
      const key = JSON.stringify(principal);
      if (principal) principals.set(key, principal);
      const headers = { ...headersOf(sent), ...(principal && { "x-test-principal": key }) };
      const outgoing = httpRequest({ host: "127.0.0.1", port, path, method, headers });
      return outgoing.end(printed(sent.body));
    };
    return {
      handler,
      async send(sent) {
        const outgoing = start(sent);
        const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
          outgoing.on("response", resolve).on("error", reject);
        });
        return new Answer(
          incoming.statusCode ?? 0,
          (name) => incoming.headers[name] as string | undefined,
          incoming as AsyncIterable<Uint8Array>,
          () => outgoing.destroy(),
        );
      },
      unread(sent) {
        const outgoing = start(sent);
        const incoming = new Promise<IncomingMessage>((resolve) => {
          outgoing.on("response", (response) => resolve(response.pause()));
        });
        return {
          opened: incoming,
          async isCut() {
            const response = await incoming;
            if (response.destroyed) return true;
            const cut = new Promise<boolean>((resolve) => {
              response.on("error", () => resolve(true)).on("end", () => resolve(false));
            });
            response.resume();
            return cut;
          },
        };
      },
      async sendAndLeave(sent, left) {
        const outgoing = start(sent).on("error", () => undefined);
        await left;
        outgoing.destroy();
      },
    };
  },
};

/** Both adapters use the same endpoint. */
export const hosts: readonly HostKind[] = [fetchHost, nodeHost];
