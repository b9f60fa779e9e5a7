/** Mounted in express, fastify and hono, with one line each. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Principal } from "../../../runtime/src/index.js";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { createMcpHandler, type McpHttpHandler } from "../../../runtime/src/server/http.js";
import { Blocks } from "./blocks.js";
import { call, initialize, type Message, modern, notification, plain, R1, R4, request, turn } from "./messages.js";
import type { Sent } from "./hosts.js";
import { ada, Subject } from "./subject.js";

type Send = (request: Request) => Promise<Response>;

const who: Readonly<Record<string, Principal>> = { "Bearer ada": ada };
/** The principal that a middleware of the application derives from a token. */
const known = (token: string | null | undefined): Principal | undefined => who[token ?? ""];

async function listen(listener: RequestListener): Promise<Send> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return proxied((server.address() as AddressInfo).port);
}

/** Sends a request to another port than its URL says. */
function proxied(port: number): Send {
  return (sent) => fetch(new Request(sent.url.replace("//localhost/", `//127.0.0.1:${port}/`), sent));
}

interface Mount {
  readonly name: string;
  readonly path: string;
  readonly open: (handler: McpHttpHandler) => Send | Promise<Send>;
  /** Whether the framework itself rejects bodies that are not JSON. */
  readonly parses?: true;
}

const mounts: readonly Mount[] = [
  {
    name: "express",
    path: "/mcp",
    open: (handler) => listen(express().all("/mcp", toNodeHandler(handler)) as RequestListener),
  },
  {
    name: "express behind express.json()",
    path: "/mcp",
    parses: true,
    open: (handler) => listen(express().use(express.json()).all("/mcp", toNodeHandler(handler)) as RequestListener),
  },
  {
    name: "express below a path, with a middleware",
    path: "/api/v1/mcp",
    parses: true,
    open(handler) {
      const [handle, router] = [toNodeHandler(handler), express.Router()];
      router.use((request, response, next) => {
        response.locals["principal"] = known(request.get("authorization"));
        next();
      });
      router.all("/mcp", (request, response) =>
        handle(request, response, { principal: response.locals["principal"] as Principal | undefined }),
      );
      return listen(express().use(express.json(), express.text()).use("/api/v1", router) as RequestListener);
    },
  },
  {
    name: "express by use",
    path: "/mcp",
    open: (handler) => listen(express().use("/mcp", toNodeHandler(handler)) as RequestListener),
  },
  {
    name: "fastify",
    path: "/mcp",
    parses: true,
    async open(handler) {
      const [app, handle] = [fastify(), toNodeHandler(handler)];
      app.all("/mcp", (request, reply) => {
        reply.hijack();
        handle(request.raw, reply.raw, { parsedBody: request.body });
      });
      await app.listen({ port: 0, host: "127.0.0.1" });
      onTestFinished(async () => {
        app.server.closeAllConnections();
        await app.close();
      });
      return proxied((app.server.address() as AddressInfo).port);
    },
  },
  {
    name: "fastify below a prefix, with a hook",
    path: "/api/mcp",
    parses: true,
    async open(handler) {
      const [app, handle] = [fastify(), toNodeHandler(handler)];
      await app.register(
        (api, _options, done) => {
          api.all("/mcp", (request, reply) => {
            reply.hijack();
            handle(request.raw, reply.raw, {
              parsedBody: request.body,
              principal: known(request.headers.authorization),
            });
          });
          done();
        },
        { prefix: "/api" },
      );
      await app.listen({ port: 0, host: "127.0.0.1" });
      onTestFinished(async () => {
        app.server.closeAllConnections();
        await app.close();
      });
      return proxied((app.server.address() as AddressInfo).port);
    },
  },
  {
    name: "hono",
    path: "/mcp",
    open: (handler) => {
      const app = new Hono().all("/mcp", (context) => handler.fetch(context.req.raw));
      return (sent) => Promise.resolve(app.fetch(sent));
    },
  },
  {
    name: "hono below a path, with a middleware",
    path: "/api/mcp",
    open: (handler) => {
      const api = new Hono<{ Variables: { principal: Principal | undefined } }>();
      api.use(async (context, next) => {
        context.set("principal", known(context.req.header("authorization")));
        await next();
      });
      api.all("/mcp", (context) => handler.fetch(context.req.raw, { principal: context.get("principal") }));
      const app = new Hono().route("/api", api);
      return (sent) => Promise.resolve(app.fetch(sent));
    },
  },
  {
    name: "hono by mount, which otherwise removes the path",
    path: "/api/mcp",
    open: (handler) => {
      const app = new Hono().mount(
        "/api",
        (sent: Request) => handler.fetch(sent, { principal: known(sent.headers.get("authorization")) }),
        {
          replaceRequest: false,
        },
      );
      return (sent) => Promise.resolve(app.fetch(sent));
    },
  },
];

describe.each(mounts)("$name", ({ path, open, parses }) => {
  async function start() {
    const subject = new Subject({ backplane: new MemoryBackplane() });
    const handler = createMcpHandler(subject.server);
    const carry = await open(handler);
    onTestFinished(() => handler.close(0));
    const send = ({ method = "POST", headers, body }: Sent, to = path): Promise<Response> => {
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      return carry(
        new Request(`http://localhost${to}`, {
          method,
          headers: headers as Record<string, string>,
          body: text ?? null,
        }),
      );
    };
    return { subject, send, handler };
  }

  const json = async (answer: Promise<Response>): Promise<Message> => (await (await answer).json()) as Message;
  const read = async (answer: Response): Promise<Blocks> => {
    const blocks = new Blocks();
    blocks.push(await answer.text());
    return blocks;
  };

  test("serves JSON and a stream in the stateless era", async () => {
    const { send } = await start();
    expect(await json(send(call(1, "echo", { text: "ü" })))).toMatchObject({ result: { content: [{ text: "ü" }] } });
    const said = await send(call(2, "say", { lines: ["a"] }, { meta: { "io.modelcontextprotocol/logLevel": "info" } }));
    expect([said.headers.get("content-type"), (await read(said)).rest().length]).toEqual(["text/event-stream", 2]);
    expect((await send(modern(3, "tools/unknown"))).status).toBe(404);
  });

  test("serves a session from start to end", async () => {
    const { send, subject } = await start();
    const opening = await send(plain(initialize(R4)));
    const headers = { "mcp-session-id": opening.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": R4 };
    expect((await send(plain(notification("notifications/initialized"), { headers }))).status).toBe(202);
    const stream = await send({ method: "GET", headers: { ...headers, accept: "text/event-stream" } });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const said = await send(plain(request(1, "tools/call", { name: "say", arguments: { lines: ["a"] } }), { headers }));
    const [first, ...rest] = (await read(said)).rest();
    expect(rest).toHaveLength(2);
    const replayed = await send({
      method: "GET",
      headers: { ...headers, accept: "text/event-stream", "last-event-id": first?.id },
    });
    expect((await read(replayed)).rest()).toEqual(rest);
    subject.server.sendToolListChanged();
    await turn();
    expect((await send({ method: "DELETE", headers })).status).toBe(200);
    expect((await read(stream)).text).toContain("notifications/tools/list_changed");
    expect((await send(plain(request(2, "ping"), { headers }))).status).toBe(404);
  });

  test("HTTP+SSE: sends the whole path in the endpoint event", async () => {
    const { send, handler } = await start();
    const stream = await send({ method: "GET", headers: { accept: "text/event-stream" } });
    const reader = stream.body?.getReader();
    const blocks = new Blocks();
    const next = async () => {
      while (blocks.waiting.length === 0) blocks.push(Buffer.from((await reader?.read())?.value ?? []).toString());
      return blocks.next();
    };
    const endpoint = await next();
    expect(endpoint?.data?.startsWith(`${path}?sseSession=`)).toBe(true);
    expect((await send(plain(initialize(R1)), endpoint?.data)).status).toBe(202);
    expect(JSON.parse((await next())?.data ?? "")).toMatchObject({ id: 0, result: { protocolVersion: R1 } });
    await handler.close(0);
    await reader?.cancel();
  });

  test("invalid input gets a response from the endpoint or the framework", async () => {
    const { send } = await start();
    const broken = await send(plain("{"));
    expect(broken.status).toBe(400);
    if (!parses) expect(await broken.json()).toMatchObject({ error: { code: -32700 } });
    expect((await send(plain("[]"))).status).toBe(400);
    expect((await send(plain("{}", { headers: { "content-type": "text/plain" } }))).status).toBe(415);
    expect((await send({ method: "PUT" })).status).toBe(405);
    expect((await send({ method: "OPTIONS", headers: { origin: "https://evil.example" } })).status).toBe(403);
  });

  if (path.includes("/api"))
    test("passes the principal of a middleware", async () => {
      const { send } = await start();
      const headers = { authorization: "Bearer ada" };
      const facts = async (more: object) => {
        const { result } = await json(send(call(1, "facts", undefined, { headers: more as Record<string, string> })));
        return JSON.parse((result?.["content"] as [{ text: string }])[0].text) as unknown;
      };
      expect(await facts(headers)).toEqual([ada, path, null, null]);
      expect(await facts({})).toEqual([null, path, null, null]);
      const opening = await send(plain(initialize(R4), { headers }));
      const session = { "mcp-session-id": opening.headers.get("mcp-session-id") ?? "" };
      expect((await send(plain(request(1, "ping"), { headers: { ...session, ...headers } }))).status).toBe(200);
      expect((await send(plain(request(1, "ping"), { headers: session }))).status).toBe(404);
    });
});
