/** A client with a valid token of few scopes tries to reach what needs another scope, and a client without a token anything. */
import { describe, expect, test } from "vitest";
import { requireBearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import { McpServer, ResourceTemplate } from "../../../runtime/src/server.js";
import {
  BOTH,
  initialize,
  type Message,
  modern,
  notification,
  plain,
  R2,
  R4,
  request,
} from "../http-server/messages.js";
import { type Answer, type Host, hosts, type Sent } from "../http-server/hosts.js";
import { factsWith, resource, verifierOf } from "./requests.js";

const secretScopes = { scopes: ["admin"] };

/** A server whose handlers that need the scope `admin` note that they were called. */
function createServer(): { readonly server: McpServer; readonly entered: string[] } {
  const entered: string[] = [];
  const server = new McpServer({ name: "guarded", version: "1.0.0" });
  server.registerTool("open", {}, () => ({ content: [] }));
  server.registerTool("secret", secretScopes, () => {
    entered.push("tool");
    return { content: [] };
  });
  server.registerPrompt("secret", secretScopes, () => {
    entered.push("prompt");
    return { messages: [] };
  });
  const read = (uri: URL) => {
    entered.push("resource");
    return { contents: [{ uri: uri.href, text: "secret" }] };
  };
  const hosted = new ResourceTemplate("HTTPS://Vault{number}.example/{name}", { list: undefined });
  server.registerResource("hosted", hosted, secretScopes, read);
  server.registerResource("plan", "file:///secret/plan", secretScopes, read);
  server.registerResource(
    "files",
    new ResourceTemplate("FILE:///Vault/{name}", { list: undefined }),
    secretScopes,
    read,
  );
  return { server, entered };
}

const authorization = () =>
  requireBearerAuth({
    resource,
    requiredScopes: ["read"],
    verifier: verifierOf({
      "low-token": factsWith({ scopes: ["read"] }),
      "admin-token": factsWith({ scopes: ["read", "admin"] }),
      "none-token": factsWith({ scopes: ["admin"] }),
      "other-token": factsWith({ scopes: ["read"], issuer: "https://evil.example" }),
    }),
  });

const withToken = (sent: Sent, token: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, authorization: `Bearer ${token}` },
});

/** The text of a body with the member `__proto__`, which an object literal cannot have. */
const withProto = (body: object, members: object): string =>
  JSON.stringify(body).replace(/^\{/, `{"__proto__":${JSON.stringify(members)},`);

describe.each(hosts)("$name", ({ open }) => {
  async function start(): Promise<{ readonly at: Host; readonly entered: string[] }> {
    const { server, entered } = createServer();
    return { entered, at: await open(server, { authorization: authorization() }) };
  }

  test("the scope lets its owner in", async () => {
    const { at, entered } = await start();
    const sent = [
      modern(1, "tools/call", { name: "secret" }),
      modern(2, "prompts/get", { name: "secret" }),
      modern(3, "resources/read", { uri: "file:///secret/plan" }),
      modern(4, "resources/read", { uri: "FILE:///Vault/x" }),
    ];
    for (const one of sent) expect((await at.send(withToken(one, "admin-token"))).status).toBe(200);
    expect(entered).toEqual(["tool", "prompt", "resource", "resource"]);
  });

  const call = { name: "secret" };
  const body = (params: object = call): object => modern(1, "tools/call", params).body as object;
  const { headers = {} } = modern(1, "tools/call", call);

  test.each<[string, Sent]>([
    ["the tool", modern(1, "tools/call", call)],
    ["the prompt", modern(1, "prompts/get", call)],
    ["the resource", modern(1, "resources/read", { uri: "file:///secret/plan" })],
    ["the resource in another spelling", modern(1, "resources/read", { uri: "file:///secret/../secret/plan" })],
    ["the resource in capitals", modern(1, "resources/read", { uri: "FILE:///secret/plan" })],
    ["the resource with an escape", modern(1, "resources/read", { uri: "file:///secret/%70lan" })],
    ["the resource of a template", modern(1, "resources/read", { uri: "FILE:///Vault/x" })],
    ["another tool in the headers", modern(1, "tools/call", call, { headers: { "mcp-name": "open" } })],
    ["another method in the headers", modern(1, "tools/call", call, { headers: { "mcp-method": "tools/list" } })],
    ["the tool of a prototype", plain(withProto(body({}), { params: call }), { headers })],
    ["two names", plain(JSON.stringify(body()).replace('"name":', '"name":"open","name":'), { headers })],
    [
      "two methods",
      plain(JSON.stringify(body()).replace('"method":', '"method":"tools/list","method":'), {
        headers,
      }),
    ],
    ["an escaped name", plain(JSON.stringify(body()).replace('"secret"', '"\\u0073ecret"'), { headers })],
    ["a batch", plain([body(), request(2, "tools/list")], { headers })],
    ["a batch in a batch", plain([[body()]], { headers })],
    ["a notification", plain(notification("tools/call", call))],
    ["an id that is null", plain({ ...body(), id: null }, { headers })],
    [
      "a completion",
      modern(1, "completion/complete", {
        ref: { type: "ref/prompt", name: "secret" },
        argument: { name: "a", value: "" },
      }),
    ],
    ["a session that it does not have", plain(request(1, "tools/call", call), { headers: { "mcp-session-id": "x" } })],
  ])("%s is not reached without the scope", async (_name, sent) => {
    const { at, entered } = await start();
    const answer = await at.send(withToken(sent, "low-token"));
    expect(entered).toEqual([]);
    expect((await answer.text()).toLowerCase()).not.toContain('"text":"secret"');
  });

  test.each([
    "file:///secret/plan",
    "FILE:///secret/plan",
    "file:///secret/",
    "file:///secret",
    "file:///secret/./plan",
    "FILE:///Vault/x",
    "file:///Vault/x",
    "file:///Vault/",
    "https://vault1.example/",
    "HTTPS://Vault1.example/x",
    "https://vault1.example/a/../x",
    "file:///",
  ])("a subscription to %s needs the scope", async (uri) => {
    const { at } = await start();
    const params = { notifications: { resourceSubscriptions: [uri] } };
    const answer = await at.send(withToken(modern(1, "subscriptions/listen", params), "low-token"));
    expect(answer.status).toBe(403);
    answer.cut();
  });

  test.each([R2, R4])("a session of %s checks every request with its own token", async (version) => {
    const { at, entered } = await start();
    const opened = await at.send(withToken(plain(initialize(version)), "admin-token"));
    const headers = { "mcp-session-id": opened.header("mcp-session-id"), "mcp-protocol-version": version };
    const inSession = (message: unknown): Sent => plain(message, { headers });
    await at.send(withToken(inSession(notification("notifications/initialized")), "admin-token"));
    const one = request(1, "tools/call", call);
    const attempts: unknown[] = [one, [request(2, "tools/list"), one], request(3, "prompts/get", call)];
    for (const attempt of attempts) {
      const answer = await at.send(withToken(inSession(attempt), "low-token"));
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    for (const token of ["none-token", "other-token", "unknown-token"])
      expect((await at.send(withToken(inSession(request(4, "tools/list")), token))).status).toBeGreaterThanOrEqual(401);
    expect((await at.send(withToken({ method: "DELETE", headers }, "none-token"))).status).toBe(403);
    expect(entered).toEqual([]);
    expect((await at.send(withToken(inSession(one), "admin-token"))).status).toBe(200);
    expect(entered).toEqual(["tool"]);
  });

  const good = "Bearer admin-token";
  test.each<[string, Sent]>([
    ["no header", {}],
    ["an empty header", { headers: { authorization: "" } }],
    ["no token", { headers: { authorization: "Bearer" } }],
    ["only a space", { headers: { authorization: "Bearer " } }],
    ["a tab after the scheme", { headers: { authorization: "Bearer\tadmin-token" } }],
    ["another scheme", { headers: { authorization: "Basic admin-token" } }],
    ["a scheme that begins alike", { headers: { authorization: "BearerX admin-token" } }],
    ["the scheme of bound tokens", { headers: { authorization: "DPoP admin-token" } }],
    ["two tokens", { headers: { authorization: `${good}, Bearer low-token` } }],
    ["a token twice", { headers: { authorization: `${good}, ${good}` } }],
    ["two words", { headers: { authorization: `${good} x` } }],
    ["quotes", { headers: { authorization: 'Bearer "admin-token"' } }],
    ["parameters", { headers: { authorization: "Bearer token=admin-token" } }],
    ["an escape", { headers: { authorization: "Bearer admin%2Dtoken" } }],
    [
      "another header",
      { headers: { "x-authorization": good, "proxy-authorization": good, cookie: `authorization=${good}` } },
    ],
    ["a token in the query", { path: "/mcp?access_token=admin-token" }],
    ["a token in query and header", { path: "/mcp?access_token=low-token", headers: { authorization: good } }],
    ["an escaped name in the query", { path: "/mcp?access%5Ftoken=x", headers: { authorization: good } }],
    ["another method in a header", { headers: { "x-http-method-override": "OPTIONS" } }],
    ["the path of the metadata in the query", { path: "/mcp?/.well-known/oauth-protected-resource" }],
    ["the name of a prototype", { headers: { authorization: "Bearer constructor" } }],
    ["another case of the token", { headers: { authorization: "Bearer ADMIN-TOKEN" } }],
    ["padding", { headers: { authorization: `${good}=` } }],
    ["a very long token", { headers: { authorization: `Bearer ${"a".repeat(16_385 - 7_000)}` } }],
  ])("with %s, nothing is reached", async (_name, more) => {
    const { at, entered } = await start();
    const sent = modern(1, "tools/call", call);
    const answer: Answer = await at.send({ ...sent, ...more, headers: { ...sent.headers, ...more.headers } });
    expect([400, 401]).toContain(answer.status);
    expect(answer.header("www-authenticate")).toMatch(/resource_metadata=/);
    expect(entered).toEqual([]);
    const { error } = (await answer.json()) as Message;
    expect(JSON.stringify(error)).not.toContain("admin-token");
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s needs a token, too", async (method) => {
    const { at } = await start();
    expect((await at.send({ method, headers: { accept: BOTH } })).status).toBeGreaterThanOrEqual(401);
  });
});
