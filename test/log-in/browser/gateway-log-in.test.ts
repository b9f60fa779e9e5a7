/** The users of a gateway log in at a server behind it, with Chromium on the pages of a real authorization server. */
import type { Browser } from "playwright-core";
import { InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { createGateway } from "@mcpwright/runtime/gateway";
import { createUserLogIn } from "@mcpwright/runtime/gateway/log-in";
import { serveHttp } from "@mcpwright/runtime/node";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../scripts/free-port.js";
import { type AuthServer, startAuthServer } from "../../auth-server/auth-server.js";
import { BrowserUser, startBrowser } from "../../auth-server/browser-user.js";
import { startProtectedServer } from "../../auth-server/protected-server.js";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Starts an authorization server that is that of both, a server, and a gateway before it. @returns the URL of the gateway */
async function startGateway(): Promise<{ url: URL; auth: AuthServer; responses: readonly string[] }> {
  const auth = await startAuthServer({ registration: true });
  onTestFinished(() => auth.close());
  const server = await startProtectedServer(auth);
  onTestFinished(() => server.close());
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  auth.resources.set(resource, { scopes: ["gateway:use"], tokens: "jwt" });
  const authorization = requireBearerAuth({
    resource,
    verifier: jwtVerifier({ issuer: auth.issuer }),
    requiredScopes: ["gateway:use"],
  });
  const users = createUserLogIn({ url: `http://127.0.0.1:${port}/log-in`, authorization });
  const gateway = createGateway({ servers: { docs: { url: server.url, logIn: users.server() } } });
  const served = await serveHttp(gateway, { port, authorization, fallback: users.listener });
  onTestFinished(() => served.close());
  return { url: new URL(resource), auth, responses: server.responses };
}

interface User {
  readonly client: Client;
  readonly links: string[];
  /** The texts of the pages at the ends of the log-ins at the server. */
  readonly shown: string[];
}

function browserOf(login: string): BrowserUser {
  const user = new BrowserUser(browser, { login });
  onTestFinished(() => user.close());
  return user;
}

/** Opens a link, presses the button, and answers the questions of the authorization server. @returns the text of the last page */
async function logIn(user: BrowserUser, link: string): Promise<string> {
  const page = await user.open(link);
  const problems: string[] = [];
  page.on("console", (message) => problems.push(message.text()));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => url.pathname !== "/log-in");
  await user.answer(page);
  expect(problems.filter((text) => /policy|refused|violat/i.test(text))).toEqual([]);
  return (await page.textContent("body")) ?? "";
}

/** Logs in at the gateway, as any client. The last page is shown when the log-in is over. */
function providerOf(user: BrowserUser): InteractiveProvider {
  const visits: Promise<string>[] = [];
  onTestFinished(async () => {
    await Promise.allSettled(visits);
  });
  const openUrl = (page: URL): Promise<boolean> => {
    visits.push(user.visit(page));
    return Promise.resolve(true);
  };
  return new InteractiveProvider({ clientName: "Desk", print: () => undefined, openUrl });
}

async function connect(url: URL, user: BrowserUser): Promise<User> {
  const links: string[] = [];
  const shown: string[] = [];
  const authProvider = providerOf(user);
  const client = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", async (params) => {
    if (!("url" in params)) return { action: "decline" };
    links.push(params.url);
    shown.push(await logIn(user, params.url));
    return { action: "accept" };
  });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  return { client, links, shown };
}

test("two users log in, and use what each may use", async () => {
  const { url, responses } = await startGateway();
  const ada = await connect(url, browserOf("ada"));
  const grace = await connect(url, browserOf("grace"));
  expect((await ada.client.listTools()).tools.map(({ name }) => name)).toEqual(["docs_log_in"]);
  expect(await ada.client.callTool({ name: "docs_read" })).toMatchObject({ content: [{ text: "read by ada" }] });
  expect(ada.shown).toEqual([expect.stringContaining("You are logged in to docs")]);
  expect((await grace.client.listTools()).tools.map(({ name }) => name)).toEqual(["docs_log_in"]);
  expect(await grace.client.callTool({ name: "docs_read" })).toMatchObject({ content: [{ text: "read by grace" }] });
  expect(await ada.client.callTool({ name: "docs_read" })).toMatchObject({ content: [{ text: "read by ada" }] });
  // The server wants another scope: the user is asked again, and consents.
  expect(await ada.client.callTool({ name: "docs_write" })).toMatchObject({ content: [{ text: "write by ada" }] });
  expect(responses.filter((response) => response.startsWith("403"))).not.toEqual([]);
  expect([ada.links.length, grace.links.length]).toEqual([2, 1]);
});

test("another user who opens the link is refused", async () => {
  const { url, responses } = await startGateway();
  const ada = await connect(url, browserOf("ada"));
  const plain = new Client({ name: "plain", version: "1.0.0" });
  onTestFinished(() => plain.close());
  await plain.connect(new StreamableHTTPClientTransport(url, { authProvider: providerOf(browserOf("ada")) }));
  const asked = await plain.callTool({ name: "docs_log_in" });
  const [link = ""] = /http:\S+ticket=\S+/.exec(JSON.stringify(asked)) ?? [];
  expect(await logIn(browserOf("grace"), link)).toContain("This link is for another user");
  expect(responses.filter((response) => response === "200")).toEqual([]);
  expect(await ada.client.callTool({ name: "docs_read" })).toMatchObject({ content: [{ text: "read by ada" }] });
});
