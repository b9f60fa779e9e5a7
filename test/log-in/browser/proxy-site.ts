/** An OAuth proxy at a public name with https, next to a host of the same site and to a client on the web; the names lead to this machine. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createOAuthProxy, MemoryProxyStore, oidc } from "@mcpwright/runtime/auth/proxy";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { type AuthServer, startAuthServer } from "../../auth-server/auth-server.js";
import { startBrowser } from "../../auth-server/browser-user.js";

/** Chromium, for which all names that end in `.test` are those of this machine. */
export function startBrowserForSite(): Promise<Browser> {
  return startBrowser(["--host-resolver-rules=MAP *.test 127.0.0.1"]);
}

export interface ProxySite {
  /** The origin of the proxy. */
  readonly issuer: string;
  /** The origin of another host of the same site. */
  readonly neighbour: string;
  /** The origin of the client, at another site. */
  readonly client: string;
  readonly provider: AuthServer;
  /** The requests that the proxy has received. */
  readonly received: IncomingMessage[];
  /** Other pages of the neighbour and of the client, by their URLs. */
  readonly pages: Map<string, RequestListener>;
  close(): Promise<void>;
}

const pem = (name: string): string =>
  readFileSync(new URL(`../../generator/shared/sessions/fixtures/self-signed.${name}.pem`, import.meta.url), "utf8");

export async function startSite(): Promise<ProxySite> {
  const server = createServer({ key: pem("key"), cert: pem("cert") }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const [issuer, neighbour, client] = ["mcp.site", "shop.site", "client.app"].map(
    (name) => `https://${name}.test:${port}`,
  );
  const application = { client_id: "proxy", client_secret: "secret-of-the-proxy" };
  const provider = await startAuthServer({
    clients: [{ ...application, redirect_uris: [`${issuer}/callback`], response_types: ["code"] }],
  });
  const proxy = await createOAuthProxy({
    issuer: issuer ?? "",
    resource: `${issuer}/mcp`,
    upstream: oidc({
      issuer: provider.issuer,
      clientId: application.client_id,
      clientSecret: application.client_secret,
      name: "Acme",
    }),
    secrets: ["a secret of the tests, which is long enough"],
    store: new MemoryProxyStore(),
    clients: [{ clientId: "web", clientName: "Web client", redirectUris: [`${client}/callback`] }],
  });
  const site: ProxySite = {
    issuer: issuer ?? "",
    neighbour: neighbour ?? "",
    client: client ?? "",
    provider,
    received: [],
    pages: new Map(),
    async close() {
      await proxy.close();
      server.closeAllConnections();
      server.close();
      await provider.close();
    },
  };
  server.on("request", (request: IncomingMessage, response) => {
    const origin = `https://${request.headers.host}`;
    const page = site.pages.get(`${origin}${request.url}`);
    if (page) page(request, response);
    else if (origin === site.client) response.setHeader("content-type", "text/html").end("<p>Back at the client</p>");
    else {
      site.received.push(request);
      proxy.listener(request, response);
    }
  });
  return site;
}

/** The URL with which the client sends a user to the proxy. */
export function authorizationUrl({ issuer, client }: ProxySite, state = "state"): string {
  const parameters = new URLSearchParams({
    client_id: "web",
    redirect_uri: `${client}/callback`,
    response_type: "code",
    state,
    code_challenge: createHash("sha256").update(randomBytes(32).toString("base64url")).digest("base64url"),
    code_challenge_method: "S256",
  });
  return `${issuer}/authorize?${parameters.toString()}`;
}

/** A browser of a user. */
export interface Desk {
  readonly context: BrowserContext;
  /** What the console of the pages of the proxy and of the neighbour said. */
  readonly console: string[];
}

export async function openDesk(browser: Browser, site: ProxySite): Promise<Desk> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  onTestFinished(() => context.close());
  // The pages of the provider refer to a font that is not on this computer.
  await context.route(
    ({ hostname }) => hostname !== "127.0.0.1" && !hostname.endsWith(".test"),
    (route) => route.abort(),
  );
  const lines: string[] = [];
  context.on("console", (message) => {
    if (!message.location().url.startsWith(site.provider.issuer)) lines.push(message.text());
  });
  return { context, console: lines };
}

/** Logs in at the provider, and consents there. */
export async function logInAtProvider(page: Page, site: ProxySite, login = "ada"): Promise<void> {
  await page.waitForURL((url) => url.origin === site.provider.issuer);
  for (;;) {
    const before = page.url();
    if (new URL(before).origin !== site.provider.issuer) return;
    if ((await page.getByRole("button", { name: "Sign-in" }).count()) > 0) {
      await page.getByPlaceholder("Enter any login").fill(login);
      await page.getByPlaceholder("and password").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
    } else await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL((url) => url.href !== before);
  }
}

/** The parameters with which the browser has arrived at the client. */
export async function arrival(page: Page, { client }: ProxySite): Promise<Readonly<Record<string, string>>> {
  await page.waitForURL((url) => url.origin === client);
  await page.getByText("Back at the client").waitFor();
  return Object.fromEntries(new URL(page.url()).searchParams);
}
