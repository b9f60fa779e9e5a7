import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { onTestFinished } from "vitest";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import type { JSONRPCMessage } from "../../runtime/src/jsonrpc/message-types.js";
import type { MessageExtra } from "../../runtime/src/transport/message-extra.js";
import type { Transport } from "../../runtime/src/transport/transport.js";
import { toNodeHandler } from "../../runtime/src/node.js";
import { createMcpHandler, type McpHandlerOptions, type McpHttpHandler } from "../../runtime/src/server/http.js";
import { R1, R5 } from "./messages.js";
import { type CreateNode, openNodes, serve, type Served } from "./nodes.js";
import { applications, type ServerName, type ServerSetup } from "./servers/index.js";

/** Reconnects at once when a stream breaks. */
const quick = { initialReconnectionDelay: 5, maxReconnectionDelay: 20, maxRetries: 3 };

/** Serves one of our servers until the test has finished. */
export function serveNamed(name: ServerName, setup: ServerSetup = {}): Promise<Served> {
  const create = applications[name]();
  return serve((shared) => create({ ...setup, options: { ...shared, ...setup.options } }));
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
  const served = await serveNamed(name, { ...setup, options: { ...setup.options, trace } });
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
    readonly served: Served,
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
    const before = requestCount(this.served);
    this.#running.delete(id);
    this.#modern.cancelRequest(id as string | number);
    while (requestCount(this.served) >= before) await new Promise((resolve) => setTimeout(resolve, 1));
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

/** The number of requests in progress at all nodes. */
export function requestCount({ nodes }: Served): number {
  return nodes.reduce((sum, { endpoint }) => sum + endpoint.requestCount, 0);
}

/** An origin where tests mount servers at paths, and replace them. */
export async function origin() {
  const mounted = new Map<string, readonly McpHttpHandler[]>();
  let turn = 0;
  const listener = createServer((request, response) => {
    const handlers = mounted.get(request.url ?? "") ?? [];
    const handler = handlers[turn++ % handlers.length];
    if (handler) toNodeHandler(handler)(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await Promise.all([...mounted.values()].flat().map((handler) => handler.close(0)));
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return {
    /** Closes the server that was mounted there before. */
    async mount(path: string, create: CreateNode, options: McpHandlerOptions = {}): Promise<{ readonly url: URL }> {
      await Promise.all((mounted.get(path) ?? []).map((handler) => handler.close(0)));
      const nodes = await openNodes();
      mounted.set(
        path,
        nodes.map((shared) => {
          const server = create(shared);
          onTestFinished(() => server.close(0));
          return createMcpHandler(server, options);
        }),
      );
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
