import type { IncomingMessage, ServerResponse } from "node:http";
import { hostOf, pathAndQuery, targetOf } from "../node/request-target.js";
import { AddressLimits } from "./clients/address-limits.js";
import { authorizationQuery, tokenBody } from "./engine/authorization-query.js";
import type { ClientRegistration } from "./clients/client-registration.js";
import type { Engine } from "./engine/engine.js";
import { paths } from "./endpoints.js";
import { toEngineRequest } from "./engine/engine-request.js";
import { errorPage } from "./error-page.js";
import { pageHeaders } from "./pages/page.js";
import { OAuthFailure } from "./oauth-failure.js";
import type { ProxyPages } from "./proxy-pages.js";
import type { ProxySettings } from "./proxy-settings.js";
import type { ProxyStore } from "./proxy-store.js";
import { receivedBody } from "./received-body.js";
import { metadataPaths, serverMetadata } from "./server-metadata.js";

export interface ListenerParts {
  readonly settings: ProxySettings;
  readonly engine: Engine;
  readonly pages: ProxyPages;
  readonly registration: ClientRegistration | undefined;
  readonly store: ProxyStore;
  readonly report: (error: unknown) => void;
}

/** A response of a route, unless the route has sent one. */
type Route = (request: IncomingMessage, response: ServerResponse, path: string, query: string) => Promise<void> | void;

interface RouteEntry {
  readonly methods: readonly string[];
  /** Whether pages of other origins may call it: it uses no cookies. */
  readonly isOpen: boolean;
  /** Whether users see its errors. */
  readonly isPage: boolean;
  readonly serve: Route;
}

/** Most bytes of the body of a request. */
const maxBodyBytes = 32_768;

/** Most authorization requests that wait for their users. */
const maxPending = 10_000;

const form = "application/x-www-form-urlencoded";

/** Serves the paths of the proxy: checks each request, and passes it to the engine or the pages. */
export class ProxyListener {
  readonly #parts: ListenerParts;
  readonly #metadata: RouteEntry;
  readonly #metadataPaths: ReadonlySet<string>;
  readonly #authorizations = new AddressLimits(600, 100_000);
  readonly #routes: ReadonlyMap<string, RouteEntry>;
  #isClosed = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    const { settings, registration } = parts;
    this.#metadata = documentRoute(JSON.stringify(serverMetadata(settings)));
    this.#metadataPaths = new Set(metadataPaths(settings.basePath));
    const exchange: RouteEntry = {
      methods: ["POST"],
      isOpen: true,
      isPage: false,
      serve: (request, response, path) => this.#exchange(request, response, path),
    };
    const page: RouteEntry = {
      methods: ["GET", "POST"],
      isOpen: false,
      isPage: true,
      serve: (request, response) => this.#page(request, response),
    };
    this.#routes = new Map<string, RouteEntry>([
      [paths.authorization, { ...page, methods: ["GET"], serve: (...received) => this.#authorize(...received) }],
      [paths.consent, page],
      [paths.callback, page],
      [paths.token, exchange],
      [paths.revocation, exchange],
      [paths.jwks, documentRoute('{"keys":[]}')],
      ...(registration ? [[paths.registration, { ...exchange, serve: this.#register(registration) }] as const] : []),
    ]);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Serves a request. @returns false for a path that is not one of the proxy */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [path = "/", ...rest] = pathAndQuery(targetOf(request)).split("?");
    const route = this.#routeOf(path);
    if (!route) return false;
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (route.isOpen) response.setHeader("access-control-allow-origin", "*");
    try {
      this.#assertHost(request);
      if (this.#isClosed)
        throw new OAuthFailure(503, "temporarily_unavailable", "this server is shutting down", { "retry-after": "5" });
      if (route.isOpen && request.method === "OPTIONS") sendPreflight(response, route.methods);
      else if (!route.methods.includes(request.method ?? ""))
        throw new OAuthFailure(405, "invalid_request", `use ${route.methods.join(" or ")} here`, {
          allow: route.methods.join(", "),
        });
      else await route.serve(request, response, path.slice(this.#parts.settings.basePath.length), rest.join("?"));
    } catch (error) {
      this.#fail(error, response, route.isPage);
    }
    return true;
  }

  #routeOf(path: string): RouteEntry | undefined {
    if (this.#metadataPaths.has(path)) return this.#metadata;
    const { basePath } = this.#parts.settings;
    if (!path.startsWith(`${basePath}/`)) return undefined;
    const below = path.slice(basePath.length);
    const found = this.#routes.get(below);
    if (found) return found;
    const [, first = "", last] = /^(\/[a-z]+)\/([\w/-]+)$/.exec(below) ?? [];
    const isResume = first === paths.authorization && /^[\w-]+$/.test(last ?? "");
    return first === paths.consent || isResume ? this.#routes.get(first) : undefined;
  }

  #assertHost(request: IncomingMessage): void {
    const { hosts } = this.#parts.settings;
    const host = (hostOf(request) ?? "").toLowerCase();
    if (!hosts || hosts.has(host) || hosts.has(host.replace(/:\d*$/, ""))) return;
    throw new OAuthFailure(
      403,
      "invalid_request",
      "this Host is not that of the issuer; a host that a reverse proxy sends belongs in allowedHosts",
    );
  }

  async #authorize(request: IncomingMessage, response: ServerResponse, path: string, query: string): Promise<void> {
    const { settings, engine } = this.#parts;
    const accept = "text/html";
    if (path !== paths.authorization)
      return engine.handle(toEngineRequest(request, settings, { path, accept }), response);
    const engineQuery = authorizationQuery(query, settings);
    const wait = this.#authorizations.use(settings.addressOf(request));
    const isFull = wait !== undefined || (await this.#parts.store.count("Interaction")) >= maxPending;
    if (isFull)
      throw new OAuthFailure(503, "temporarily_unavailable", "too many users are logging in; try again later", {
        "retry-after": String(wait ?? 60),
      });
    return engine.handle(toEngineRequest(request, settings, { path, query: engineQuery, accept }), response);
  }

  async #exchange(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { settings, engine } = this.#parts;
    const { "content-type": type = "" } = request.headers;
    const text = await receivedBody(request, maxBodyBytes);
    const isForm = type.toLowerCase().startsWith(form);
    const body = isForm ? { type: form, text: tokenBody(text, settings) } : { type, text };
    await engine.handle(toEngineRequest(request, settings, { path, body, accept: "application/json" }), response);
  }

  #register(registration: ClientRegistration): Route {
    const { settings, engine } = this.#parts;
    const type = "application/json";
    return async (request, response, path) => {
      if (!request.headers["content-type"]?.toLowerCase().startsWith(type))
        throw new OAuthFailure(400, "invalid_client_metadata", `register with the content type ${type}`);
      const text = await registration.check(settings.addressOf(request), await receivedBody(request, maxBodyBytes));
      await engine.handle(toEngineRequest(request, settings, { path, body: { type, text }, accept: type }), response);
    };
  }

  async #page(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await this.#parts.pages.handle(request, response)))
      throw new OAuthFailure(404, "not_found", "there is no such page");
  }

  #fail(error: unknown, response: ServerResponse, isPage: boolean): void {
    const failure =
      error instanceof OAuthFailure
        ? error
        : new OAuthFailure(
            500,
            "server_error",
            "this authorization server failed; try again later",
            {},
            { cause: error },
          );
    if (failure !== error) this.#parts.report(error);
    if (response.headersSent) return void response.destroy();
    const { status, error: code, message, headers } = failure;
    const body = isPage ? errorPage(code, message) : JSON.stringify({ error: code, error_description: message });
    response.writeHead(status, {
      ...(isPage ? pageHeaders : { "content-type": "application/json" }),
      ...headers,
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  }
}

const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** A document that everybody may read. */
function documentRoute(json: string): RouteEntry {
  const headers = { "content-type": "application/json", "cache-control": "public, max-age=300" };
  const serve: Route = (_request, response) => {
    response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(json) }).end(json);
  };
  return { methods: ["GET", "HEAD"], isOpen: true, isPage: false, serve };
}

function sendPreflight(response: ServerResponse, methods: readonly string[]): void {
  response
    .writeHead(204, {
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": "authorization, content-type, dpop, mcp-protocol-version",
      "access-control-max-age": "86400",
    })
    .end();
}
