/** Applications of express, fastify and hono that serve MCP, and have other routes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { hostGuard as expressGuard, mcpMiddleware as expressMcp } from "../../../runtime/src/express.js";
import { hostGuard as fastifyGuard, mcpPlugin } from "../../../runtime/src/fastify.js";
import { hostGuard as honoGuard, mcpMiddleware as honoMcp } from "../../../runtime/src/hono.js";
import type { Principal } from "../../../runtime/src/index.js";
import type { HostedServerSource, McpHandlerOptions, McpHttpHandler } from "../../../runtime/src/server/http.js";

export type Send = (request: Request) => Promise<Response>;

export interface Application {
  readonly handler: McpHttpHandler;
  readonly send: Send;
  /** Closes the application, as its framework does. */
  readonly close: () => Promise<unknown>;
}

export interface OpenOptions extends McpHandlerOptions {
  /** Called with the value of the header `x-user`. */
  readonly principalOf?: (user: string | undefined) => Principal | undefined;
}

export interface Kind {
  readonly name: string;
  /** The path of MCP. The application also has `POST /other`, which echoes the JSON in its body. */
  readonly path: string;
  readonly open: (source: HostedServerSource, options?: OpenOptions) => Promise<Application>;
  /** Whether a parser of the framework reads the bodies of MCP, so that it responds to those that are not JSON, or too large. */
  readonly parses?: true;
  /** Whether MCP is mounted below a path, so that it does not serve the root of the site. */
  readonly isBelow?: boolean;
}

export const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** Sends a request to a port, although its URL names localhost. */
function toPort(port: number): Send {
  return (sent) => fetch(new Request(sent.url.replace("//localhost/", `//127.0.0.1:${port}/`), sent));
}

function expressKind(
  name: string,
  path: string,
  before: (app: express.Express) => void,
  more: Partial<Kind> = {},
): Kind {
  return {
    name,
    path,
    async open(source, { principalOf, ...options } = {}) {
      const app = express();
      before(app);
      const mcp = expressMcp(source, {
        ...options,
        path,
        ...(principalOf && { principal: (request: express.Request) => principalOf(request.get("x-user")) }),
      });
      app.use(mcp);
      app.use(expressGuard());
      app.post("/other", express.json(), (request, response) => void response.json(request.body));
      app.use((error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
        response.status((error as { status?: number }).status ?? 500).json({ framework: error.message });
      });
      const server = createServer(app);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const close = async () => {
        await mcp.handler.close(0);
        server.closeAllConnections();
        server.close();
      };
      onTestFinished(close);
      return { handler: mcp.handler, send: toPort((server.address() as AddressInfo).port), close };
    },
    ...more,
  };
}

function fastifyKind(name: string, path: string, prefix: string, before?: (app: FastifyInstance) => void): Kind {
  return {
    name,
    path,
    isBelow: prefix !== "",
    async open(source, { principalOf, ...options } = {}) {
      const app = fastify({ forceCloseConnections: true });
      before?.(app);
      app.setErrorHandler((error: Error, _request, reply) => {
        void reply.code((error as { statusCode?: number }).statusCode ?? 500).send({ framework: error.message });
      });
      const plugin = mcpPlugin(source, {
        ...options,
        path: path.slice(prefix.length),
        graceMs: 0,
        ...(principalOf && { principal: ({ headers }) => principalOf(one(headers["x-user"])) }),
      });
      await app.register(plugin, { prefix });
      await app.register((other, _options, done) => {
        other.addHook("onRequest", fastifyGuard());
        other.post("/other", ({ body }) => body);
        done();
      });
      await app.listen({ port: 0, host: "127.0.0.1" });
      onTestFinished(() => app.close());
      return {
        handler: plugin.handler,
        send: toPort((app.server.address() as AddressInfo).port),
        close: () => app.close(),
      };
    },
  };
}

function honoKind(name: string, path: string, before?: (app: Hono) => void, base = ""): Kind {
  return {
    name,
    path,
    isBelow: base !== "",
    open(source, { principalOf, ...options } = {}) {
      const app = new Hono();
      before?.(app);
      const mcp = honoMcp(source, {
        ...options,
        path,
        ...(principalOf && { principal: ({ req }) => principalOf(req.raw.headers.get("x-user") ?? undefined) }),
      });
      app.route(base, new Hono().use(mcp));
      app.use(honoGuard());
      app.post("/other", async (context) => context.json(await context.req.json<object>()));
      app.onError((error, context) => context.json({ framework: error.message }, 500));
      onTestFinished(() => mcp.handler.close(0));
      return Promise.resolve({
        handler: mcp.handler,
        send: (sent) => Promise.resolve(app.fetch(sent)),
        close: () => mcp.handler.close(0),
      });
    },
  };
}

export const kinds: readonly Kind[] = [
  expressKind("express", "/mcp", () => undefined),
  expressKind("express behind express.json()", "/mcp", (app) => void app.use(express.json({ limit: "8mb" })), {
    parses: true,
  }),
  expressKind("express behind express.raw()", "/mcp", (app) => {
    app.use("/mcp", express.raw({ type: "*/*", limit: "8mb" }));
  }),
  expressKind("express behind express.text()", "/api/mcp", (app) => {
    app.use("/api", express.text({ type: "*/*", limit: "8mb" }));
  }),
  fastifyKind("fastify", "/mcp", ""),
  fastifyKind("fastify below a prefix, with hooks", "/api/v1/mcp", "/api/v1", (app) => {
    app.addHook("onRequest", (_request, reply, next) => {
      reply.header("x-hook", "on");
      next();
    });
    app.addHook("preHandler", (_request, _reply, next) => next());
  }),
  honoKind("hono", "/mcp"),
  honoKind("hono behind a middleware that reads JSON", "/mcp", (app) => {
    app.use(async ({ req }, next) => {
      if (req.method === "POST") await req.json().catch(() => undefined);
      await next();
    });
  }),
  honoKind(
    "hono behind a middleware that reads text, below a path",
    "/api/mcp",
    (app) => {
      app.use(async ({ req }, next) => {
        if (req.method === "POST") await req.text();
        await next();
      });
    },
    "/api",
  ),
];
