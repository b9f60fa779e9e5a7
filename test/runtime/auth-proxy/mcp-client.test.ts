/** A client of this library logs in at the OAuth proxy of an MCP server, and goes on when tokens expire or are revoked. */
import { expect, onTestFinished, test, vi } from "vitest";
import { InteractiveProvider } from "../../../runtime/src/auth-node.js";
import { requireBearerAuth } from "../../../runtime/src/auth-server.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { Client } from "../../../runtime/src/client.js";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer } from "../../../runtime/src/server.js";
import { type ProxyTestOptions, startProxy, type StartedProxy, TestBrowser } from "./started-proxy.js";

interface World {
  readonly started: StartedProxy;
  readonly client: Client;
  /** The authorization requests that the browser of the user has loaded. */
  readonly pages: URL[];
}

/** An MCP server with its proxy, and a client with a browser. */
async function connect(options: ProxyTestOptions = {}): Promise<World> {
  const started = await startProxy(options);
  const { proxy, resource, http } = started;
  const authorization = requireBearerAuth({ resource, verifier: proxy.verifier, requiredScopes: ["files:read"] });
  const server = new McpServer({ name: "files", version: "1.0.0" });
  server.registerTool("whoami", {}, async (context) => {
    const { subject = "" } = authorization.infoOf(context) ?? {};
    const { accessToken } = await proxy.upstreamTokens(context);
    return { content: [{ type: "text", text: `${subject} with ${accessToken}` }] };
  });
  server.registerTool("write", { scopes: ["files:write"] }, () => ({ content: [{ type: "text", text: "written" }] }));
  const handler = createMcpHandler(server, { authorization });
  const handle = toNodeHandler(handler);
  onTestFinished(() => handler.close(0));
  http.removeAllListeners("request");
  http.on("request", (request, response) => {
    proxy.listener(request, response, () => handle(request, response));
  });
  const pages: URL[] = [];
  const authProvider = new InteractiveProvider({
    clientName: "Notes",
    print: () => undefined,
    openUrl: async (url) => {
      pages.push(url);
      const { location } = await new TestBrowser().visit(url);
      if (!location) throw new Error("the log-in does not lead back to the client");
      void fetch(location).then((response) => response.text());
      return true;
    },
  });
  onTestFinished(() => authProvider.close());
  const client = new Client({ name: "notes", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(resource, { authProvider }));
  return { started, client, pages };
}

async function call(client: Client, name: string): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: {} });
  return content[0];
}

test("the client registers, logs in, and calls a tool with the provider's token of its user", async () => {
  const { started, client, pages } = await connect();
  expect(await call(client, "whoami")).toMatchObject({ text: "ada with upstream of ada" });
  expect(pages).toHaveLength(1);
  expect(started.seen).toEqual([
    expect.objectContaining({ clientName: "Notes", clientKind: "registered", scopes: ["files:read"] }),
  ]);
  expect(started.errors).toEqual([]);
});

test("a tool that needs another scope sends the user to the page once more", async () => {
  const { started, client } = await connect();
  expect(await call(client, "write")).toMatchObject({ text: "written" });
  expect(started.seen.map(({ scopes }) => scopes)).toEqual([["files:read"], ["files:read", "files:write"]]);
});

test("tokens that were revoked are refused with the next request, and the user logs in again", async () => {
  const { started, client } = await connect();
  await call(client, "whoami");
  await started.parts.revokeAccount("ada");
  expect(await call(client, "whoami")).toMatchObject({ text: "ada with upstream of ada" });
  expect(started.seen).toHaveLength(2);
});

test("an expired token is refreshed without the user", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { started, client } = await connect({ accessTokenSeconds: 60 });
  await call(client, "whoami");
  vi.setSystemTime(Date.now() + 61_000);
  expect(await call(client, "whoami")).toMatchObject({ text: "ada with upstream of ada" });
  expect(started.seen).toHaveLength(1);
});
