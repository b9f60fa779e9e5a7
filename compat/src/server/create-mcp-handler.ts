import type { Principal } from "@mcpwright/runtime";
import { eraOf, Server as NativeServer, serverPerClient } from "@mcpwright/runtime/server";
import {
  createMcpHandler as createNativeHandler,
  type McpHttpHandler as NativeHandler,
} from "@mcpwright/runtime/server/http";
import { ProtocolErrorCode } from "../shared/errors.js";
import type { AuthInfo } from "../types/index.js";
import { CarriedExtra } from "../shared/transport-bridge.js";
import { McpServer } from "./mcp-server.js";
import { lowLevel, type McpServerFactory } from "./mcp-server-factory.js";
import { errorResponse, parseRequestBody } from "./parse-request-body.js";
import { scopeRefusal } from "./scope-refusal.js";
import type { Server } from "./server.js";
import {
  InMemoryServerEventBus,
  notifierOf,
  type ServerEventBus,
  type ServerNotifier,
  toChange,
} from "./server-event-bus.js";

export type PerRequestResponseMode = "auto" | "sse" | "json";

/** What the host knows about a request in addition to its content. */
export interface McpHandlerRequestOptions {
  /** The client, as the host has authenticated it. */
  authInfo?: AuthInfo | undefined;
  /** The parsed body, if the host has already read it. */
  parsedBody?: unknown;
}

export interface CreateMcpHandlerOptions {
  /** Whether requests of clients with a handshake are served, each by a server of its own. Default: `"stateless"`. */
  legacy?: "stateless" | "reject";
  onerror?: (error: Error) => void;
  /** `auto`: JSON, or a stream when a message precedes the response. Default: `"auto"`. */
  responseMode?: PerRequestResponseMode;
  /** Passes changes on to subscribed clients. Default: within this process. */
  bus?: ServerEventBus;
  /** Maximum number of open subscriptions. Default: `1_024`. */
  maxSubscriptions?: number;
  /** Milliseconds between keep-alive comments on idle streams; 0 for none. Default: `15_000`. */
  keepAliveMs?: number;
  /** Maximum size of a request body in bytes. Default: `4_194_304`. */
  maxRequestBodySize?: number;
}

/** An HTTP endpoint. */
export interface McpHttpHandler {
  /** Serves one request; never rejects. */
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /** Ends all streams. */
  close: () => Promise<void>;
  notify: ServerNotifier;
  bus: ServerEventBus;
}

/** Carries the server that was made for a request to the endpoint of the runtime. */
class MadeServer extends CarriedExtra {
  constructor(
    readonly server: Server,
    request: Request,
    authInfo: AuthInfo | undefined,
  ) {
    super({ request, authInfo });
  }
}

/** The endpoint for servers with the same revisions, and the server that their subscriptions share. */
interface Endpoint {
  readonly shared: NativeServer<never>;
  readonly handler: NativeHandler;
}

/** Serves each request with a server that the factory makes for it, at one URL. Mount it for every method. */
export function createMcpHandler(factory: McpServerFactory, options: CreateMcpHandlerOptions = {}): McpHttpHandler {
  if (typeof options.legacy === "function")
    throw new TypeError(
      "The 'legacy' option only accepts 'stateless' or 'reject'. Route 2025-era traffic with isLegacyRequest(request) in front of a handler with legacy: 'reject'.",
    );
  const served = new ServedFactory(factory, options);
  return {
    fetch: (request, given = {}) => served.fetch(request, given),
    close: () => served.close(),
    notify: notifierOf(served.bus),
    bus: served.bus,
  };
}

class ServedFactory {
  readonly bus: ServerEventBus;
  /** The endpoints by the revisions of their servers: most programs have one. */
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(
    readonly factory: McpServerFactory,
    readonly options: CreateMcpHandlerOptions,
  ) {
    this.bus = options.bus ?? new InMemoryServerEventBus((error) => this.#report(error));
    this.#unsubscribe = this.bus.subscribe((event) => {
      for (const { shared } of this.#endpoints.values()) shared.notifyChanged(toChange(event));
    });
  }

  async fetch(request: Request, given: McpHandlerRequestOptions): Promise<Response> {
    try {
      return await this.#serve(request, given);
    } catch (error) {
      this.#report(error);
      return errorResponse(500, ProtocolErrorCode.InternalError, "Internal server error");
    }
  }

  async #serve(request: Request, { authInfo, parsedBody }: McpHandlerRequestOptions): Promise<Response> {
    if (this.#isClosed) return errorResponse(503, -32000, "The handler is closed");
    if (request.method !== "POST")
      return errorResponse(405, -32000, "Method not allowed.", { headers: { allow: "POST" } });
    const body =
      parsedBody === undefined
        ? await parseRequestBody(request, this.options.maxRequestBodySize)
        : { message: parsedBody };
    if ("problem" in body) return errorResponse(body.status, body.code, body.problem);
    const { message } = body;
    const era = eraOf(message) === "stateless" ? "modern" : "legacy";
    if (era === "legacy" && this.options.legacy === "reject") return this.#reject(message);
    const made = await this.factory({ era, requestInfo: request, ...(authInfo && { authInfo }) });
    const refused = made instanceof McpServer && (await scopeRefusal(made, message, authInfo));
    if (refused) return refused;
    const server = lowLevel(made);
    server.servesStateless = true;
    server.isPerRequest = true;
    const principal: Principal = new MadeServer(server, request, authInfo);
    return this.#endpointOf(server).handler.fetch(withoutOrigin(request), { principal, parsedBody: message });
  }

  #endpointOf({ native }: Server): Endpoint {
    const key = native.revisions.ids.join();
    let endpoint = this.#endpoints.get(key);
    if (!endpoint) this.#endpoints.set(key, (endpoint = this.#open(native)));
    return endpoint;
  }

  #open({ info, options: { revisions, conversions } }: Server["native"]): Endpoint {
    const { responseMode = "auto", keepAliveMs, maxSubscriptions = 1_024 } = this.options;
    const shared = new NativeServer(info, {
      revisions: revisions as never,
      conversions: conversions as never,
      suspension: false,
      onerror: (error) => this.#report(error),
    });
    const perClient = serverPerClient(shared, ({ principal }) => (principal as MadeServer).server.native);
    const handler = createNativeHandler(perClient, {
      sessions: false,
      legacySse: false,
      responseMode,
      ...(keepAliveMs !== undefined && { keepAliveMs }),
      maxStreams: maxSubscriptions,
      // Programs guard their endpoint themselves, and all clients have the same principal.
      allowedHosts: "any",
      clientShare: 1,
    });
    return { shared, handler };
  }

  #reject(message: unknown): Response {
    const { id, method, params } = Object(message) as {
      readonly id?: unknown;
      readonly method?: unknown;
      readonly params?: unknown;
    };
    if (id === undefined && method !== undefined) return new Response(null, { status: 202 });
    const { protocolVersion } = Object(params) as { readonly protocolVersion?: unknown };
    const requested = typeof protocolVersion === "string" ? protocolVersion : "unknown";
    const data = { supported: ["2026-07-28"], requested };
    return errorResponse(
      400,
      ProtocolErrorCode.UnsupportedProtocolVersion,
      "Unsupported protocol version: this endpoint requires the per-request _meta envelope",
      { data, id },
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    await Promise.all([...this.#endpoints.values()].map(({ handler }) => handler.close()));
  }

  #report(error: unknown): void {
    try {
      this.options.onerror?.(error instanceof Error ? error : new Error(String(error)));
    } catch {
      // A reporter that fails must not affect the response.
    }
  }
}

/** The request without the header by which the runtime refuses pages of other origins: programs guard their endpoint themselves. */
function withoutOrigin(request: Request): Request {
  if (!request.headers.has("origin")) return request;
  const headers = new Headers(request.headers);
  headers.delete("origin");
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
