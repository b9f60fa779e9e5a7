import { once } from "node:events";
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as oursExpress from "@mcpwright/compat/express";
import * as oursFastify from "@mcpwright/compat/fastify";
import * as oursHono from "@mcpwright/compat/hono";
import * as oursNode from "@mcpwright/compat/node";
import { getRequestListener } from "@hono/node-server";
import * as officialExpress from "@modelcontextprotocol/express";
import * as officialFastify from "@modelcontextprotocol/fastify";
import * as officialHono from "@modelcontextprotocol/hono";
import * as untypedNode from "@modelcontextprotocol/node";
import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { OAuthError as OurError } from "@mcpwright/compat/server";
import { afterEach, describe, expect, test } from "vitest";

// Its types do not accept requests of Node where optional members are exact.
const officialNode = untypedNode as unknown as typeof oursNode;

/** An application that responds with the parsed body of a request. Both packages have the same functions. */
type App = (options: Options) => RequestListener | Promise<RequestListener>;
type Options = oursHono.CreateMcpHonoAppOptions & oursExpress.CreateMcpExpressAppOptions;

const apps: Readonly<Record<string, Readonly<Record<"ours" | "official", App>>>> = {
  express: both(oursExpress, officialExpress, ({ createMcpExpressApp }) => (options) => {
    const app = createMcpExpressApp(options);
    app.post("/mcp", (incoming, response) => void response.json({ body: incoming.body as unknown }));
    return app;
  }),
  hono: both(oursHono, officialHono, ({ createMcpHonoApp }) => (options) => {
    const app = createMcpHonoApp(options);
    app.post("/mcp", (context) => context.json({ body: context.get("parsedBody" as never) }));
    const listener = getRequestListener(app.fetch);
    return (incoming, response) => void listener(incoming, response);
  }),
  fastify: both(oursFastify, officialFastify, ({ createMcpFastifyApp }) => async (options) => {
    const app = createMcpFastifyApp(options);
    app.post("/mcp", (incoming) => ({ body: incoming.body }));
    await app.ready();
    return (incoming, response) => {
      app.routing(incoming, response);
    };
  }),
  node: both(oursNode, officialNode, (node) => ({ allowedHosts, allowedOrigins }) => {
    const host = allowedHosts ? node.hostHeaderValidation(allowedHosts) : node.localhostHostValidation();
    const origin = allowedOrigins ? node.originValidation(allowedOrigins) : node.localhostOriginValidation();
    const handler = node.toNodeHandler({ fetch: async (web) => Response.json({ body: await web.json() }) });
    return (incoming, response) => {
      if (host(incoming, response) && origin(incoming, response)) void handler(incoming, response);
    };
  }),
};

function both<Package>(ours: Package, official: Package, appOf: (of: Package) => App): (typeof apps)[string] {
  return { ours: appOf(ours), official: appOf(official) };
}

interface Reply {
  readonly status: number | undefined;
  readonly text: string;
}

let open: Server[] = [];
afterEach(() => {
  for (const server of open) server.close();
  open = [];
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(server);
  return (server.address() as AddressInfo).port;
}

async function start(name: string, from: "ours" | "official", options: Options): Promise<number> {
  const app = apps[name]?.[from];
  if (!app) throw new Error(`there is no application ${name}`);
  return listen(await app(options));
}

async function send(port: number, headers: Readonly<Record<string, string>>, body: string): Promise<Reply> {
  const sent = request({ port, host: "127.0.0.1", path: "/mcp", method: "POST", agent: false, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  return { status: response.statusCode, text };
}

const json = { "content-type": "application/json" };
const fine = { status: 200, text: '{"body":{"a":1}}' };
function refused(message: string): Reply {
  return { status: 403, text: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"${message}"},"id":null}` };
}

describe.each(Object.keys(apps))("%s", (name) => {
  test.each<[string, Options, Readonly<Record<string, string>>, Reply]>([
    ["a local host", {}, { host: "localhost:3000" }, fine],
    ["another host", {}, { host: "evil.example" }, refused("Invalid Host: evil.example")],
    ["a listed host", { allowedHosts: ["mcp.example"] }, { host: "mcp.example:8080" }, fine],
    [
      "a local host that is not listed",
      { allowedHosts: ["mcp.example"] },
      { host: "[::1]" },
      refused("Invalid Host: [::1]"),
    ],
    ["a local origin", {}, { host: "localhost", origin: "http://127.0.0.1:8080" }, fine],
    [
      "another origin",
      {},
      { host: "localhost", origin: "https://evil.example" },
      refused("Invalid Origin: evil.example"),
    ],
    ["an opaque origin", {}, { host: "localhost", origin: "null" }, refused("Invalid Origin header: null")],
    [
      "a listed scheme",
      { allowedOrigins: ["moz-extension://*"] },
      { host: "localhost", origin: "moz-extension://ab" },
      fine,
    ],
    [
      "HTTP as listed scheme",
      { allowedOrigins: ["https://*"] },
      { host: "localhost", origin: "https://evil.example" },
      refused("Invalid Origin: evil.example"),
    ],
  ])("%s", async (_, options, headers, expected) => {
    for (const from of ["official", "ours"] as const) {
      const port = await start(name, from, options);
      expect([from, await send(port, { ...json, ...headers }, '{"a":1}')]).toEqual([from, expected]);
    }
  });

  test("an invalid host", async () => {
    // The server of hono rejects it before the application.
    const expected = name === "hono" ? { status: 400, text: "" } : refused("Invalid Host header: a b");
    for (const from of ["official", "ours"] as const) {
      const port = await start(name, from, {});
      expect([from, await send(port, { ...json, host: "a b" }, "{}")]).toEqual([from, expected]);
    }
  });

  test("does not end the process for a body that is not JSON", async () => {
    const replies = [];
    for (const from of ["official", "ours"] as const) {
      const port = await start(name, from, {});
      replies.push((await send(port, { ...json, host: "localhost" }, "{")).status);
    }
    expect(replies[1]).toBe(replies[0]);
  });
});

test.each([
  ["ours", oursHono],
  ["official", officialHono],
])("hono: %s rejects a body that is too long, and a limit that is not a number", async (_, hono) => {
  const app = hono.createMcpHonoApp({ maxRequestBodySize: 5 });
  const headers = { ...json, host: "localhost" };
  const response = await app.request("/mcp", { method: "POST", headers, body: '{"a":1}' });
  expect(response.status).toBe(413);
  expect(await response.text()).toContain("Payload Too Large: Request body must not exceed 5 bytes");
  expect(() => hono.createMcpHonoApp({ maxRequestBodySize: 0 })).toThrow(
    new RangeError("maxRequestBodySize must be a positive number of bytes, got 0"),
  );
});

describe.each([
  ["ours", oursExpress],
  ["official", officialExpress],
])("express: authorization of %s", (from, express) => {
  const issuer = "https://issuer.example";
  const resourceServerUrl = new URL("https://mcp.example/mcp");
  const oauthMetadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ["code"],
  };

  async function startProtected(): Promise<string> {
    const app = express.createMcpExpressApp();
    app.use(express.mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl, scopesSupported: ["mcp"] }));
    const verifyAccessToken = (token: string) => {
      const { OAuthError: ErrorClass } = from === "ours" ? { OAuthError: OurError } : { OAuthError };
      if (token === "wrong") throw new ErrorClass(OAuthErrorCode.InvalidToken, "Unknown token");
      if (token === "broken") throw new Error("no database");
      const expiresAt = token === "late" ? 1 : Date.now() / 1000 + 60;
      return Promise.resolve({ token, clientId: "c", scopes: token === "poor" ? [] : ["mcp"], expiresAt });
    };
    const resourceMetadataUrl = express.getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
    const protect = express.requireBearerAuth({
      verifier: { verifyAccessToken },
      requiredScopes: ["mcp"],
      resourceMetadataUrl,
    });
    app.post("/mcp", protect, (incoming, response) => void response.json({ client: incoming.auth?.clientId }));
    return `http://127.0.0.1:${await listen(app)}`;
  }

  test.each<[string, number, string, boolean]>([
    ["", 401, '{"error":"invalid_token","error_description":"Missing Authorization header"}', true],
    ["Basic x", 401, "expected 'Bearer TOKEN'", true],
    ["Bearer wrong", 401, '{"error":"invalid_token","error_description":"Unknown token"}', true],
    ["Bearer late", 401, "Token has expired", true],
    ["Bearer poor", 403, '{"error":"insufficient_scope","error_description":"Insufficient scope"}', true],
    ["Bearer broken", 500, '{"error":"server_error","error_description":"Internal Server Error"}', false],
    ["bearer fine", 200, '{"client":"c"}', false],
  ])("%s", async (authorization, status, text, isChallenged) => {
    const headers = authorization === "" ? {} : { authorization };
    const response = await fetch(`${await startProtected()}/mcp`, { method: "POST", headers });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
    const challenge = response.headers.get("www-authenticate");
    if (!isChallenged) expect(challenge).toBeNull();
    else {
      expect(challenge).toMatch(/^Bearer error="\w+", error_description="[^"]+", scope="mcp", resource_metadata="/);
      expect(challenge).toContain('="https://mcp.example/.well-known/oauth-protected-resource/mcp"');
    }
  });

  test("serves both documents to scripts of any origin", async () => {
    const url = await startProtected();
    const resource = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await resource.json()).toEqual({
      resource: "https://mcp.example/mcp",
      authorization_servers: [issuer],
      scopes_supported: ["mcp"],
    });
    const server = `${url}/.well-known/oauth-authorization-server`;
    const document = await fetch(server);
    expect(document.headers.get("access-control-allow-origin")).toBe("*");
    expect(await document.json()).toEqual(oauthMetadata);
    expect((await fetch(server, { method: "OPTIONS" })).status).toBe(204);
    const post = await fetch(server, { method: "POST" });
    expect([post.status, await post.json()]).toEqual([
      405,
      { error: "method_not_allowed", error_description: "The method POST is not allowed for this endpoint" },
    ]);
  });

  test("rejects an issuer without TLS", () => {
    const insecure = { ...oauthMetadata, issuer: "http://issuer.example" };
    expect(() => express.mcpAuthMetadataRouter({ oauthMetadata: insecure, resourceServerUrl })).toThrow(
      "Issuer URL must be HTTPS",
    );
  });
});

test.each([
  ["ours", oursNode],
  ["official", officialNode],
])("node: %s reports errors of a handler and limits bodies", async (_, node) => {
  const errors: string[] = [];
  const handler = node.toNodeHandler(
    { fetch: () => Promise.reject(new Error("closed")) },
    { onerror: ({ message }) => errors.push(message), maxRequestBodySize: 10 },
  );
  const port = await listen((incoming, response) => void handler(incoming, response));
  expect(await send(port, json, "{}")).toEqual({
    status: 500,
    text: '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal server error"},"id":null}',
  });
  expect(errors).toEqual(["closed"]);
  expect(await send(port, json, '{"a":"0123456789"}')).toEqual({
    status: 413,
    text: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Payload Too Large: Request body must not exceed 10 bytes"},"id":null}',
  });
});
