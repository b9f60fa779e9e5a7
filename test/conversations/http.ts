import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { onTestFinished } from "vitest";
import type { Endpoint } from "../../runtime/src/http-server/endpoint.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import type { JSONRPCMessage } from "../../runtime/src/jsonrpc/message-types.js";
import type { MessageExtra } from "../../runtime/src/transport/message-extra.js";
import type { Transport } from "../../runtime/src/transport/transport.js";
import { type HttpServerHandle, serveHttp, type ServeHttpOptions, toNodeHandler } from "../../runtime/src/node.js";
import type { McpServer } from "../../runtime/src/server/core.js";
import { createMcpHandler, type McpHandlerOptions, type McpHttpHandler } from "../../runtime/src/server/http.js";
import { R1, R5 } from "./messages.js";
import { type ServerName, servers, type ServerSetup } from "./servers/index.js";

/** Reconnects at once when a stream breaks. */
const quick = { initialReconnectionDelay: 5, maxReconnectionDelay: 20, maxRetries: 3 };

/** Serves on loopback until the test has finished. */
export async function serve(server: McpServer, options: ServeHttpOptions = {}): Promise<HttpServerHandle> {
  const served = await serveHttp(server, { graceMs: 0, ...options });
  onTestFinished(() => end(served));
  return served;
}

/** Does not wait for idle connections that Node's client keeps open. */
export async function end(served: HttpServerHandle): Promise<void> {
  const cut = setInterval(() => served.server.closeAllConnections(), 5);
  await served.close();
  clearInterval(cut);
}

type Options = ConstructorParameters<typeof StreamableHTTPClientTransport>[1];

/** A client transport over HTTP that is closed at the end of the test. */
export function reach({ url }: { readonly url: URL }, options: Options = {}): StreamableHTTPClientTransport {
  const transport = new StreamableHTTPClientTransport(url, { reconnectionOptions: quick, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

/** The same over HTTP+SSE, the transport of 2024-11-05. */
export function reachByEvents({ url }: { readonly url: URL }, options: Options = {}): SSEClientTransport {
  const transport = new SSEClientTransport(url, options);
  onTestFinished(() => transport.close());
  return transport;
}

/** A transport over HTTP from a script to one of our servers. */
export async function scripted(name: ServerName, setup: ServerSetup = {}): Promise<Transport> {
  const taken = new Taken();
  const trace = (direction: "in" | "out", message: unknown): void => {
    if (direction === "in") taken.note(message);
  };
  const served = await serve(servers[name]({ ...setup, options: { ...setup.options, trace } }));
  const hasEvents = setup.revisions?.includes(R1) ?? true;
  const script = new HttpScript(served, taken, hasEvents);
  onTestFinished(() => script.close());
  return script;
}

/** The messages that the server has received. */
class Taken {
  readonly #waiting = new Map<string, () => void>();

  note(message: unknown): void {
    this.#waiting.get(JSON.stringify(message))?.();
  }

  told(message: unknown): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(JSON.stringify(message), resolve));
  }
}

const sideOf = (revision: unknown) => clientSides.find((side) => side.revision === revision);

/**
 * Sends a script over HTTP as a client of its revision does: requests of the stateless era on their own, the rest in a
 * session, or over HTTP+SSE for a handshake of 2024-11-05. Requests are on separate connections; `send` waits until the
 * server has received the message, so that the messages arrive in the order of the script.
 */
class HttpScript implements Transport {
  onmessage?: ((message: unknown, extra?: MessageExtra) => void) | undefined;
  onclose?: ((error?: Error) => void) | undefined;
  readonly #modern: StreamableHTTPClientTransport;
  #session: StreamableHTTPClientTransport | SSEClientTransport | undefined;
  /** Requests of the stateless era without a response yet. */
  readonly #running = new Set<unknown>();

  constructor(
    readonly served: HttpServerHandle,
    readonly taken: Taken,
    readonly hasEvents: boolean,
  ) {
    this.#modern = this.#received(new StreamableHTTPClientTransport(served.url));
    const newest = sideOf(R5);
    if (newest) this.#modern.setRevision(newest);
  }

  start(): Promise<void> {
    return this.#modern.start();
  }

  async send(message: JSONRPCMessage | readonly JSONRPCMessage[]): Promise<void> {
    const { id, method, params } = message as { id?: unknown; method?: string; params?: Record<string, unknown> };
    if (method === "notifications/cancelled" && this.#running.has(params?.["requestId"]))
      return this.#leave(params?.["requestId"]);
    const claims = JSON.stringify(message).includes('"io.modelcontextprotocol/protocolVersion"');
    if (!claims && method === "initialize") await this.#open(params?.["protocolVersion"]);
    const transport = claims ? this.#modern : (this.#session ?? this.#modern);
    const taken = this.taken.told(message);
    const exchange = transport.send(message);
    if (method === undefined || id === undefined) return exchange;
    if (claims) this.#running.add(id);
    await Promise.race([exchange, taken]);
    // The errors of the remaining requests are not needed.
    exchange.catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#session?.close()]);
    this.onclose?.();
  }

  async #open(version: unknown): Promise<void> {
    if (this.#session) return;
    const { url } = this.served;
    const byEvents = version === R1 && this.hasEvents;
    this.#session = this.#received(byEvents ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url));
    await this.#session.start();
  }

  /** In the stateless era, a client cancels a request by closing its stream. */
  async #leave(id: unknown): Promise<void> {
    const endpoint = this.served.handler.endpoint as Endpoint;
    const before = endpoint.requestCount;
    this.#running.delete(id);
    this.#modern.cancelRequest(id as string | number);
    while (endpoint.requestCount >= before) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  #received<Kind extends StreamableHTTPClientTransport | SSEClientTransport>(transport: Kind): Kind {
    transport.onmessage = (message, extra) => {
      const { id, result } = message as { id?: unknown; result?: { protocolVersion?: string } };
      this.#running.delete(id);
      const side = sideOf(result?.protocolVersion);
      if (side && transport === this.#session) {
        transport.setRevision(side);
        transport.setProtocolVersion(side.revision);
      }
      this.onmessage?.(message, extra);
    };
    return transport;
  }
}

/** An origin where tests mount servers at paths, and replace them. */
export async function origin() {
  const handlers = new Map<string, McpHttpHandler>();
  const listener = createServer((request, response) => {
    const handler = handlers.get(request.url ?? "");
    if (handler) toNodeHandler(handler)(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await Promise.all([...handlers.values()].map((handler) => handler.close(0)));
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return {
    /** Closes the server that was mounted there before. */
    async mount(path: string, server: McpServer, options: McpHandlerOptions = {}): Promise<{ readonly url: URL }> {
      await handlers.get(path)?.close(0);
      handlers.set(path, createMcpHandler(server, options));
      return { url: new URL(`http://127.0.0.1:${port}${path}`) };
    },
  };
}

/** An HTTP request of a client, and the status of the response. */
export interface Exchanged {
  readonly method: string;
  readonly headers: Headers;
  readonly message: { readonly id?: unknown; readonly method?: string } | undefined;
  readonly status: number;
  /** Of the response. */
  readonly sessionId: string | null;
}

/** A `fetch` that records requests, and can change their headers. */
export function recordedFetch(change: (headers: Headers) => void = () => undefined) {
  const exchanged: Exchanged[] = [];
  return {
    exchanged,
    /** The methods of the posted messages, with the status of each response. */
    get posted(): string[] {
      return exchanged.flatMap(({ message, status }) => (message ? [`${String(message.method)} ${status}`] : []));
    },
    fetch: async (url: URL, init: RequestInit): Promise<Response> => {
      const headers = new Headers(init.headers);
      change(headers);
      const response = await fetch(url, { ...init, headers });
      exchanged.push({
        method: init.method ?? "",
        headers,
        message: typeof init.body === "string" ? (JSON.parse(init.body) as Exchanged["message"]) : undefined,
        status: response.status,
        sessionId: response.headers.get("mcp-session-id"),
      });
      return response;
    },
  };
}

/** A network between a client and its server that can break streams and delay requests. */
export class Network {
  readonly #open = new Map<string, Set<AbortController>>();
  readonly #held = new Map<string, Promise<void>>();

  readonly fetch = async (url: URL, init: RequestInit): Promise<Response> => {
    const { method } = JSON.parse((init.body as string | undefined) ?? "{}") as { method?: string };
    const what = method ?? init.method ?? "";
    await this.#held.get(what);
    const controller = new AbortController();
    const open = this.#open.get(what) ?? new Set();
    this.#open.set(what, open.add(controller));
    const signal = AbortSignal.any([controller.signal, ...(init.signal ? [init.signal] : [])]);
    return fetch(url, { ...init, signal });
  };

  /**
   * Breaks all connections of a kind, and blocks new ones until `release` is called.
   * @param what a JSON-RPC method, or the HTTP method of requests without a body
   */
  cut(what: string): { readonly release: () => void } {
    let release = (): void => undefined;
    this.#held.set(what, new Promise((resolve) => (release = resolve)));
    for (const controller of this.#open.get(what) ?? []) controller.abort();
    this.#open.delete(what);
    return { release };
  }
}
