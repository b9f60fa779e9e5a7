/** A gateway whose configuration requires access tokens, with tokens of an authorization server that runs. */
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { gateway } from "../../../../generator/commands/gateway/gateway.js";
import { Client } from "../../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { urlOf } from "../../shared/sessions/places.js";
import { issuer } from "./issuer.js";
import { configFile, configText, listening, patient, running, toolNames } from "./places.js";

const resource = "https://gateway.example.com/mcp";

/** The URL of a server with two tools. */
function docs(): Promise<string> {
  const server = new McpServer({ name: "docs", version: "1.0.0" });
  for (const name of ["read", "write_page"])
    server.registerTool(name, {}, () => ({ content: [{ type: "text", text: name }] }));
  return urlOf(server);
}

/** The status of the response to a request with another `Host`, which `fetch` does not send. */
function statusAs(host: string, url: URL): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });
}

interface Protected {
  readonly url: URL;
  readonly told: string[];
  readonly config: string;
  /** What the gateway responds without a token, or with one. */
  readonly post: (token?: string) => Promise<Response>;
  readonly connect: (token: string) => Promise<{ readonly client: Client; readonly refused: Response[] }>;
}

async function protectedGateway(
  servers: Readonly<Record<string, object>>,
  authorization: object,
  status = false,
): Promise<Protected> {
  const told: string[] = [];
  const config = configFile(servers, { gateway: { name: "mine", authorization: { resource, ...authorization } } });
  const url = await listening({ config, http: { port: 0, status }, tell: (line) => void told.push(line) });
  const post: Protected["post"] = (token) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
  const connect: Protected["connect"] = async (token) => {
    const refused: Response[] = [];
    const client = new Client({ name: "test", version: "1.0.0" });
    const watched = async (input: string | URL, init?: RequestInit): Promise<Response> => {
      const response = await fetch(input, init);
      if (response.status >= 400 && init?.method === "POST") refused.push(response.clone());
      return response;
    };
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: token, fetch: watched }));
    onTestFinished(() => client.close());
    return { client, refused };
  };
  return { url, told, config, post, connect };
}

test("requests without a token get a challenge that leads to the metadata of the gateway", async () => {
  const { url: from } = await issuer();
  const { url, told, post } = await protectedGateway(
    { docs: { url: await docs() } },
    { issuer: from, scopes: ["mcp"] },
  );
  expect(told.join("\n")).toContain(`Over HTTP, clients need a token of ${from} for ${resource}, with mcp`);
  const response = await post();
  expect(response.status).toBe(401);
  const challenge = response.headers.get("www-authenticate") ?? "";
  expect(challenge).toContain('scope="mcp"');
  const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  expect(metadata).toBe("https://gateway.example.com/.well-known/oauth-protected-resource/mcp");
  expect(await (await fetch(new URL(new URL(metadata).pathname, url))).json()).toMatchObject({
    resource,
    authorization_servers: [from],
    scopes_supported: ["mcp"],
    resource_name: "mine",
  });
  // Clients reach it by the name of its URL, through a proxy.
  expect(await statusAs("gateway.example.com", url)).toBe(401);
  expect(await statusAs("other.example.com", url)).toBe(403);
});

test("JWTs of the issuer are accepted, with the scopes of servers and tools", async () => {
  const server = await issuer();
  const scopes = { "*": ["docs:read"], "write_*": ["docs:write"] };
  const { connect, post } = await protectedGateway(
    { docs: { url: await docs(), scopes }, secret: { url: await docs(), scopes: ["top"] } },
    { issuer: [server.url, "https://other.example.com"], scopeIncludes: { admin: ["docs:read", "docs:write", "top"] } },
  );
  const tools = async (scope: string): Promise<readonly string[]> =>
    toolNames((await connect(await server.jwt(resource, scope))).client);
  expect(await tools("other")).toEqual([]);
  expect(await tools("docs:read")).toEqual(["docs_read"]);
  expect(await tools("docs:read docs:write")).toEqual(["docs_read", "docs_write_page"]);
  expect(await tools("admin")).toEqual(["docs_read", "docs_write_page", "secret_read", "secret_write_page"]);

  const { client, refused } = await connect(await server.jwt(resource, "docs:read"));
  expect(await client.callTool({ name: "docs_read" })).toMatchObject({ content: [{ text: "read" }] });
  await expect(client.callTool({ name: "docs_write_page" })).rejects.toThrow();
  await expect(client.callTool({ name: "secret_read" })).rejects.toThrow();
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  const challenge = refused[0]?.headers.get("www-authenticate");
  expect(challenge).toContain('error="insufficient_scope"');
  expect(challenge).toContain("docs:write");

  const foreign = await server.jwt("https://elsewhere.example.com/mcp", "admin");
  expect((await post(foreign)).status).toBe(401);
  expect((await post((await server.jwt(resource, "admin", { iss: "https://other.example.org" })) + "x")).status).toBe(
    401,
  );
});

test("an audience and algorithms of the configuration apply", async () => {
  const server = await issuer();
  const servers = { docs: { url: await docs() } };
  const byAudience = await protectedGateway(servers, { issuer: server.url, audience: ["api://gateway"] });
  expect((await byAudience.post(await server.jwt("api://gateway", ""))).status).not.toBe(401);
  expect((await byAudience.post(await server.jwt(resource, ""))).status).toBe(401);
  const keys = `${server.url}/keys`;
  const byAlgorithm = await protectedGateway(servers, { issuer: server.url, jwks: keys, algorithms: ["RS256"] });
  expect((await byAlgorithm.post(await server.jwt(resource, ""))).status).toBe(401);
});

test("opaque tokens are verified by introspection, with a secret by reference, beside JWTs of another issuer", async () => {
  const [opaque, signing] = [await issuer(), await issuer()];
  opaque.opaque.set("token-of-ann", { scope: "docs:read", aud: resource });
  process.env["GATEWAY_TEST_SECRET"] = opaque.secret;
  onTestFinished(() => {
    delete process.env["GATEWAY_TEST_SECRET"];
  });
  const introspection = { issuer: opaque.url, clientId: "gateway", clientSecret: "${env:GATEWAY_TEST_SECRET}" };
  const { connect, post, told } = await protectedGateway(
    { docs: { url: await docs(), scopes: ["docs:read"] } },
    { issuer: signing.url, introspection },
  );
  expect(await toolNames((await connect("token-of-ann")).client)).toEqual(["docs_read", "docs_write_page"]);
  expect(await toolNames((await connect(await signing.jwt(resource, "docs:read"))).client)).toHaveLength(2);
  expect((await post("token-of-nobody")).status).toBe(401);
  expect(told.join("\n")).not.toContain(opaque.secret);
});

test("an issuer that does not respond is reported, and tokens are accepted again when it does", async () => {
  const server = await issuer();
  server.isUp = false;
  const { post, told } = await protectedGateway({ docs: { url: await docs() } }, { issuer: server.url });
  // Nothing is asked before a token arrives.
  expect(server.requested).toEqual([]);
  const token = await server.jwt(resource, "");
  const response = await post(token);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).not.toBeNull();
  await expect.poll(() => told.join("\n"), patient).toContain(server.url);
  expect(told.join("\n")).toContain("status 503");
  expect(told.join("\n")).not.toContain(token);
  server.isUp = true;
  await expect.poll(async () => (await post(token)).status, { timeout: 20_000, interval: 200 }).not.toBe(503);
});

test("the status page needs no token, and is for this machine only", async () => {
  const { url: from } = await issuer();
  const { url } = await protectedGateway({ docs: { url: await docs() } }, { issuer: from }, true);
  const status = new URL("/status.json", url);
  expect((await fetch(status)).status).toBe(200);
  expect(await statusAs("gateway.example.com", status)).toBe(403);
});

describe("what cannot be served", () => {
  test("a gateway over stdio, because no token arrives there", async () => {
    const authorization = { resource, issuer: "https://auth.example.com" };
    const config = configFile({ docs: { url: "http://localhost:1/mcp" } }, { gateway: { authorization } });
    await expect(gateway({ config })).rejects.toMatchObject({
      diagnostics: [{ id: "gateway-authorization-over-stdio" }],
    });
  });

  test("a reference to a secret that is not set, which is reported with its place", async () => {
    const introspection = {
      issuer: "https://auth.example.com",
      clientId: "g",
      clientSecret: "${env:GATEWAY_TEST_NONE}",
    };
    const config = configFile(
      { docs: { url: "http://localhost:1/mcp" } },
      { gateway: { authorization: { resource, introspection } } },
    );
    await expect(listening({ config, http: { port: 0 } })).rejects.toMatchObject({
      diagnostics: [
        {
          id: "gateway-variable-unset",
          message: expect.stringContaining("gateway.authorization.introspection.clientSecret") as string,
        },
      ],
    });
  });
});

describe("edits", () => {
  const edit = (config: string, servers: Readonly<Record<string, object>>, settings: object): void => {
    writeFileSync(config, configText(servers, settings));
    process.emit("SIGHUP");
  };

  test("of the scopes of a server are applied, and those of the authorization need a restart", async () => {
    const server = await issuer();
    const url = await docs();
    const { connect, config, told, post } = await protectedGateway({ docs: { url } }, { issuer: server.url });
    const token = await server.jwt(resource, "docs:read");
    const { client } = await connect(token);
    expect(await toolNames(client)).toHaveLength(2);
    const authorization = { resource, issuer: server.url };
    const settings = { gateway: { name: "mine", authorization } };
    edit(config, { docs: { url, scopes: { "write_*": ["docs:write"] } } }, settings);
    await expect.poll(() => toolNames(client), patient).toEqual(["docs_read"]);
    expect(told.join("\n")).not.toContain("gateway-restart-needed");
    edit(
      config,
      { docs: { url } },
      { gateway: { name: "mine", authorization: { ...authorization, scopes: ["more"] } } },
    );
    await expect.poll(() => told.join("\n"), patient).toContain("gateway-restart-needed");
    expect((await post(token)).status).not.toBe(403);
    expect((await post()).status).toBe(401);
  });

  test("that add an authorization refuse all requests to servers with scopes until the restart", async () => {
    const server = await issuer();
    const servers = { docs: { url: await docs() } };
    const config = configFile(servers);
    const told: string[] = [];
    const url = await listening({ config, http: { port: 0 }, tell: (line) => void told.push(line) });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
    expect(await toolNames(client)).toHaveLength(2);
    const scoped = { docs: { ...servers.docs, scopes: ["docs:read"] } };
    edit(config, scoped, { gateway: { authorization: { resource, issuer: server.url } } });
    await expect.poll(() => told.join("\n"), patient).toContain("gateway-restart-needed");
    await expect(client.callTool({ name: "docs_read" })).rejects.toThrow();
  });

  test("that add scopes without an authorization are not applied", async () => {
    const url = await docs();
    const config = configFile({ docs: { url } });
    const { lines, client } = await running({ config });
    edit(config, { docs: { url, scopes: ["docs:read"] } }, {});
    await expect.poll(() => lines.join("\n"), patient).toContain("is not applied");
    expect(lines.join("\n")).toContain("scopes of the server docs requires gateway.authorization");
    expect(await toolNames(client)).toHaveLength(2);
  });
});
