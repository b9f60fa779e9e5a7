/** Mistakes in options, and clients whose users cannot log in. */
import { expect, onTestFinished, test } from "vitest";
import { requireBearerAuth } from "../../../../runtime/src/auth-server.js";
import { createGateway, type GatewayServer, requireScopes } from "../../../../runtime/src/gateway.js";
import { createUserLogIn } from "../../../../runtime/src/gateway/log-in.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { clientOf, info, text } from "../../api/pair.js";
import { verifierOf } from "../../auth-server/requests.js";
import { join } from "../in-memory.js";
import { docsUrl, link, linkIn, logInPlace, names, page, resource } from "./log-in-place.js";

const authorization = requireBearerAuth({ resource, verifier: verifierOf({}) });

test.each([
  [{ url: "/log-in", authorization }, "url must be the URL of a page"],
  [{ url: "http://gateway.example.com/log-in", authorization }, "http only on a loopback address"],
  [{ url: "https://gateway.example.com/", authorization }, "with a path"],
  [{ url: `${page}?a=b`, authorization }, "nothing behind it"],
  [{ url: page }, "authorization must be what requireBearerAuth returns"],
  [{ url: page, authorization, store: {} }, "store must be a CredentialStore"],
  [{ url: page, authorization, waitMs: -1 }, "waitMs"],
])("createUserLogIn(%o) is refused", (options, message) => {
  expect(() => createUserLogIn(options as never)).toThrow(message);
});

test("a page on a loopback address may have http", () => {
  expect(() => createUserLogIn({ url: "http://127.0.0.1:3000/log-in", authorization })).not.toThrow();
});

test.each([
  [{ server: new McpServer(info) }, 'the server "docs" has logIn, with which users log in at a url'],
  [{ url: "docs" }, "set its absolute URL"],
  [{ url: docsUrl, http: { authProvider: "token" } }, "both logIn and http.authProvider"],
])("a server with %o and logIn is refused", (source, message) => {
  const users = createUserLogIn({ url: page, authorization });
  expect(() => createGateway({ servers: { docs: { ...source, logIn: users.server() } } })).toThrow(message);
});

test("logIn must be made by server()", () => {
  const users = createUserLogIn({ url: page, authorization });
  const servers = { docs: { url: docsUrl, logIn: users as never } };
  expect(() => createGateway({ servers })).toThrow('logIn of the server "docs": pass createUserLogIn({ … }).server()');
});

test("one log-in cannot belong to two gateways", () => {
  const users = createUserLogIn({ url: page, authorization });
  createGateway({ servers: { docs: { url: docsUrl, logIn: users.server() } } });
  const key = { id: "other", key: new Uint8Array(32) };
  const servers = { docs: { url: docsUrl, logIn: users.server() } };
  expect(() => createGateway({ servers, stateKeys: [key] })).toThrow("belongs to another gateway");
});

test("a client that is not authenticated can use the other servers", async () => {
  const problems: string[] = [];
  const users = createUserLogIn({ url: page, authorization });
  const other = new McpServer(info);
  other.registerTool("open", {}, () => text("opened"));
  const gateway = createGateway({
    servers: { docs: { url: docsUrl, logIn: users.server() }, other: { server: other } },
    onerror: ({ message }) => problems.push(message),
  });
  onTestFinished(() => gateway.close(0));
  const client = await join(gateway, clientOf("2025-11-25").client);
  expect(await names(client)).toEqual(["other_open"]);
  expect(await client.callTool({ name: "other_open" })).toMatchObject({ content: [{ text: "opened" }] });
  await expect(client.callTool({ name: "docs_whoami" })).rejects.toThrow("with the option authorization");
  await expect(client.callTool({ name: "docs_log_in" })).rejects.toThrow("with the option authorization");
  expect(problems).toEqual([expect.stringContaining('server "docs" is missing in lists: each user logs in there')]);
  expect(gateway.servers[0]).toMatchObject({ state: "idle" });
});

test("without names of servers in those of tools, each server has a tool for its log-in", async () => {
  const at = logInPlace({ servers: (docs) => ({ docs, more: docs }), gateway: { names: "none" } });
  const client = await at.connect("ann", "2026-07-28");
  expect(await names(client)).toEqual(["docs_log_in", "more_log_in"]);
  expect((await at.browserOf("ann").logIn(linkIn(await client.callTool({ name: "more_log_in" })))).status).toBe(200);
  expect(await names(client)).toEqual(["whoami", "docs_log_in"]);
});

test("a tool of another server keeps its name, and that for the log-in gets another", async () => {
  const taken = new McpServer(info);
  taken.registerTool("in", {}, () => text("something else"));
  const at = logInPlace({ servers: (docs) => ({ docs, docs_log: { server: taken } }) });
  const client = await at.connect("ann", "2026-07-28");
  expect(await names(client)).toEqual(["docs_log_in", "docs_log_in_2"]);
  expect(await client.callTool({ name: "docs_log_in" })).toMatchObject({ content: [{ text: "something else" }] });
  expect(linkIn(await client.callTool({ name: "docs_log_in_2" }))).toMatch(link);
});

test("a choice of tools does not hide the tool for the log-in, and scopes do", async () => {
  const at = logInPlace({
    servers: (docs) => ({
      docs: { ...docs, tools: { allow: ["nothing"] } },
      secret: { ...docs, scopes: requireScopes(["secrets:read"]) },
    }),
  });
  const client = await at.connect("ann", "2026-07-28");
  expect(await names(client)).toEqual(["docs_log_in"]);
  await expect(client.callTool({ name: "secret_log_in" })).rejects.toThrow();
  await expect(client.callTool({ name: "secret_whoami" })).rejects.toThrow();
});

test("the gateway introduces itself by a document", async () => {
  const at = logInPlace();
  at.login.settings.clientIdMetadata = true;
  at.own.settings.clientIdMetadata = true;
  const client = await at.connect("ann", "2026-07-28");
  expect((await at.browserOf("ann").logIn(linkIn(await client.callTool({ name: "docs_log_in" })))).status).toBe(200);
  expect([...at.login.clients.keys(), ...at.own.clients.keys()]).toEqual([`${page}/client`, `${page}/client`]);
  const document = (await (await at.network.fetch(new URL(`${page}/client`), {})).json()) as object;
  expect(document).toMatchObject({
    client_id: `${page}/client`,
    client_name: "MCP gateway",
    redirect_uris: [`${page}/signed-in`, `${page}/callback`],
  });
});

test("clients that were registered by hand are used, and their secrets stay secret", async () => {
  const at = logInPlace({
    logIn: { client: { clientId: "gateway", clientSecret: "secret-at-own", issuer: "https://auth.example.com" } },
    serverOptions: { client: { clientId: "docs-client", clientSecret: "secret-at-docs" }, scopes: ["docs:read"] },
  });
  at.own.addClient({ clientId: "gateway", clientSecret: "secret-at-own", redirectUris: [`${page}/signed-in`] });
  at.login.addClient({ clientId: "docs-client", clientSecret: "secret-at-docs", redirectUris: [`${page}/callback`] });
  const client = await at.connect("ann", "2026-07-28");
  const browser = at.browserOf("ann");
  expect((await browser.logIn(linkIn(await client.callTool({ name: "docs_log_in" })))).status).toBe(200);
  const [facts] = [...at.login.accessTokens.values()];
  expect(facts).toMatchObject({ clientId: "docs-client", scopes: ["docs:read", "user:ann"] });
  expect(JSON.stringify([browser.visited, at.seen])).not.toContain("secret-at-");
});

test("a server may have a fetch of its own", async () => {
  const sent: string[] = [];
  const serverOptions = {
    fetch: (url: URL, init: RequestInit) => {
      sent.push(url.host);
      return at.network.fetch(url, init);
    },
  };
  const at = logInPlace({ serverOptions });
  const client = await at.connect("ann", "2026-07-28");
  expect((await at.browserOf("ann").logIn(linkIn(await client.callTool({ name: "docs_log_in" })))).status).toBe(200);
  expect(new Set(sent)).toEqual(new Set(["docs.example.com", "login.docs.example.com"]));
});

test("a link to a server that the gateway no longer has is of no use, and one to a changed server is", async () => {
  let docs: GatewayServer | undefined;
  const at = logInPlace({ servers: (given) => ({ docs: (docs = given) }) });
  const link = linkIn(await (await at.connect("ann", "2026-07-28")).callTool({ name: "docs_log_in" }));
  await at.node.gateway.update({ docs: { ...docs, tools: { deny: ["nothing"] } } });
  expect((await at.browserOf("ann").open(link)).status).toBe(200);
  await at.node.gateway.update({});
  expect((await at.browserOf("ann").open(link)).status).toBe(410);
});
