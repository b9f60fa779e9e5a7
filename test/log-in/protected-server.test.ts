/** A protected server with tokens of a real authorization server: which requests it serves, and what the others get. */
import { once } from "node:events";
import { request as send, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { parseChallenges } from "@mcpwright/runtime/auth";
import type { Client } from "@mcpwright/runtime/client";
import type { ClientMetadata } from "oidc-provider";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AuthServer } from "../auth-server/auth-server.js";
import { FormUser } from "../auth-server/form-user.js";
import {
  type ProtectedServer,
  type ProtectedServerOptions,
  startProtectedServer,
} from "../auth-server/protected-server.js";
import { providerFor } from "./provider-for.js";
import { connect, startServers } from "./set-up.js";

const service = {
  client_id: "report",
  client_secret: "secret-of-the-report",
  grant_types: ["client_credentials"],
  response_types: [],
  redirect_uris: [],
} satisfies ClientMetadata;

async function start(options: ProtectedServerOptions = {}): Promise<{ auth: AuthServer; server: ProtectedServer }> {
  return startServers({ clients: [service] }, options);
}

/** Gets a token for a server without a user. */
async function tokenFor({ issuer }: AuthServer, { url }: ProtectedServer, scope: string): Promise<string> {
  const { client_id, client_secret } = service;
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id,
    client_secret,
    resource: url.href,
    scope,
  });
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The error of the first challenge. */
  readonly error: string | undefined;
}

/** Sends a message with exactly these headers: names and values in turn. */
async function post(url: URL | string, headers: readonly string[], message: object): Promise<Answer> {
  const { host } = new URL(url);
  const usual = ["host", host, "content-type", "application/json", "accept", "application/json, text/event-stream"];
  const request = send(url, { method: "POST", headers: [...usual, ...headers] as never });
  request.end(JSON.stringify(message));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const { statusCode: status, headers: received } = response;
  const [challenge] = parseChallenges(received["www-authenticate"]);
  return { status, headers: received, body: await text(response), error: challenge?.parameters["error"] };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "tests", version: "1.0.0" } },
};

function call(name: string, more: object = {}): object {
  return { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, ...more } };
}

const operations: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  tool: async (client) => (await client.callTool({ name: "write" })).content[0],
  resource: async (client) => (await client.readResource({ uri: "test:///write" })).contents[0],
  prompt: async (client) => (await client.getPrompt({ name: "write" })).messages[0]?.content,
};

describe("an operation that needs another scope", () => {
  test.each(Object.entries(operations))("a %s: the user is asked once, for all scopes", async (_what, operation) => {
    const { auth, server } = await startServers({ registration: true });
    const client = await connect(server, providerFor(new FormUser()));
    expect(await operation(client)).toMatchObject({ text: "write by ada" });
    expect(server.responses.filter((response) => response.startsWith("40"))).toEqual([
      "401 no token",
      "403 insufficient_scope",
    ]);
    expect(auth.events.filter((event) => event === "page")).toHaveLength(2);
    // No further log-in for the other operations.
    for (const other of Object.values(operations)) expect(await other(client)).toMatchObject({ text: "write by ada" });
    expect(auth.events.filter((event) => event === "page")).toHaveLength(2);
  });
});

describe("scopes", () => {
  test("of the endpoint and of the tool are named at once", async () => {
    const { auth, server } = await start();
    const token = await tokenFor(auth, server, "files:write");
    const opened = await post(server.url, ["authorization", `Bearer ${token}`], initialize);
    expect(opened.status).toBe(403);
    expect(parseChallenges(opened.headers["www-authenticate"])[0]?.parameters["scope"]).toBe("files:write files:read");
  });

  test("that are lost in the middle of a session are missed at once, and the session goes on", async () => {
    const { auth, server } = await start();
    const [all, less] = [
      await tokenFor(auth, server, "files:read files:write"),
      await tokenFor(auth, server, "files:read"),
    ];
    const opened = await post(server.url, ["authorization", `Bearer ${all}`], initialize);
    const session = [
      ...["mcp-session-id", String(opened.headers["mcp-session-id"])],
      ...["mcp-protocol-version", "2025-06-18"],
    ];
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    await post(server.url, [...session, "authorization", `Bearer ${all}`], initialized);
    const write = (token: string, name = "write"): Promise<Answer> =>
      post(server.url, [...session, "authorization", `Bearer ${token}`], call(name));
    expect((await write(all)).body).toContain("write by report");
    expect(await write(less)).toMatchObject({ status: 403, error: "insufficient_scope" });
    expect((await write(less, "read")).body).toContain("read by report");
    expect((await write(all)).body).toContain("write by report");
  });
});

describe.each(["jwt", "opaque"] as const)("a %s token", (tokens) => {
  test("of another MCP server is rejected", async () => {
    const { auth, server } = await start({ tokens });
    const other = await startProtectedServer(auth, { tokens });
    onTestFinished(() => other.close());
    const token = await tokenFor(auth, other, "files:read files:write");
    const authorization = ["authorization", `Bearer ${token}`];
    expect((await post(other.url, authorization, initialize)).status).toBe(200);
    const rejected = await post(server.url, authorization, initialize);
    expect(rejected).toMatchObject({ status: 401, error: "invalid_token" });
    expect(rejected.headers["www-authenticate"]).toContain("issued for another resource");
    expect(rejected.headers["www-authenticate"]).toContain(`${server.url.origin}/.well-known/`);
    expect(JSON.stringify(rejected)).not.toContain(token);
  });

  test("of another authorization server is rejected", async () => {
    const { auth, server } = await start({ tokens });
    const { auth: other } = await startServers({ clients: [service] });
    other.resources.set(server.url.href, { scopes: ["files:read"], tokens });
    const authorization = ["authorization", `Bearer ${await tokenFor(other, server, "files:read")}`];
    expect(await post(server.url, authorization, initialize)).toMatchObject({ status: 401, error: "invalid_token" });
    expect(auth.issuer).not.toBe(other.issuer);
  });
});

describe("tokens in other places", () => {
  const rows: Readonly<
    Record<string, (token: string, url: URL) => readonly [URL | string, readonly string[], object, number, string?]>
  > = {
    "in the query": (token, url) => [`${url.href}?access_token=${token}`, [], initialize, 401],
    "in the query, too": (token, url) => [
      `${url.href}?access_token=${token}`,
      ["authorization", `Bearer ${token}`],
      initialize,
      400,
      "invalid_request",
    ],
    "in the body": (token, url) => [url, [], { ...initialize, access_token: token }, 401],
    "in the arguments": (token, url) => [url, [], call("read", { access_token: token }), 401],
    "in a cookie": (token, url) => [url, ["cookie", `access_token=${token}`], initialize, 401],
    "in two headers": (token, url) => [
      url,
      ["authorization", `Bearer ${token}`, "authorization", `Bearer ${token}`],
      initialize,
      400,
      "invalid_request",
    ],
    "after a header of another scheme": (token, url) => [
      url,
      ["authorization", "Basic YTpi", "Authorization", `Bearer ${token}`],
      initialize,
      400,
      "invalid_request",
    ],
  };
  test.each(Object.entries(rows))("%s are not accepted", async (_where, row) => {
    const { auth, server } = await start();
    const token = await tokenFor(auth, server, "files:read");
    const [url, headers, message, status, error] = row(token, server.url);
    const answer = await post(url, headers, message);
    expect(answer).toMatchObject({ status, error });
    expect(JSON.stringify(answer)).not.toContain(token);
    expect((await post(server.url, ["authorization", `bearer ${token}`], initialize)).status).toBe(200);
  });
});
