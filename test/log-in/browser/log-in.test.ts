/** Users log in with Chromium on the pages of a real authorization server. */
import type { Browser } from "playwright-core";
import { InteractiveProvider, type InteractiveProviderOptions } from "@mcpwright/runtime/auth/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BrowserUser, startBrowser } from "../../auth-server/browser-user.js";
import type { UserOptions } from "../../auth-server/form-user.js";
import { configurations } from "../clients.js";
import { call, connect, type Servers, startServers } from "../set-up.js";
import { type Desktop, startDesktop } from "../../auth-server/desktop.js";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface Session {
  readonly user: BrowserUser;
  readonly desktop: Desktop;
  /** The texts of the last pages that the user has seen, one per log-in. */
  readonly pages: Promise<string>[];
}

/** A user with a desktop of its own, whose browser the provider of this process opens. */
async function sit(options: UserOptions = {}): Promise<Session> {
  const user = new BrowserUser(browser, options);
  const pages: Promise<string>[] = [];
  const desktop = await startDesktop((url) => pages.push(user.visit(url)));
  onTestFinished(async () => {
    await Promise.allSettled(pages);
    await user.close();
    await desktop.close();
  });
  const { BROWSER: before } = process.env;
  process.env["BROWSER"] = desktop.program;
  onTestFinished(() => {
    if (before === undefined) delete process.env["BROWSER"];
    else process.env["BROWSER"] = before;
  });
  return { user, desktop, pages };
}

function providerOf(options: Partial<InteractiveProviderOptions> = {}): InteractiveProvider {
  return new InteractiveProvider({ clientName: "Desk", print: () => undefined, ...options });
}

function pagesAsked({ auth }: Servers): number {
  return auth.events.filter((event) => event === "page").length;
}

describe.each(Object.entries(configurations))("%s", (_name, { server: options, client: identity, events }) => {
  test.each(["jwt", "opaque"] as const)("the user logs in, with %s tokens", async (tokens) => {
    const { pages } = await sit();
    const { auth, server } = await startServers(options, { tokens });
    const client = await connect(server, providerOf(identity));
    expect(await call(client, "read")).toBe("read by ada");
    expect(auth.events).toEqual([...events, "page", "granted authorization_code"]);
    await expect(Promise.all(pages)).resolves.toEqual([expect.stringContaining("You are logged in") as unknown]);
  });
});

test("the user consents to another scope in the middle of a tool call", async () => {
  const { pages } = await sit({ login: "grace" });
  const servers = await startServers({ registration: true });
  const client = await connect(servers.server, providerOf());
  expect(await call(client, "write")).toBe("write by grace");
  expect(await call(client, "read")).toBe("read by grace");
  expect(await Promise.all(pages)).toHaveLength(2);
});

test("an expired token is refreshed without a page", async () => {
  await sit();
  const servers = await startServers({ registration: true }, { tokens: "opaque" });
  const client = await connect(servers.server, providerOf());
  for (let times = 0; times < 2; times++) {
    await servers.auth.expireAccessTokens();
    expect(await call(client, "read")).toBe("read by ada");
  }
  expect(servers.auth.events.slice(-2)).toEqual(["granted refresh_token", "granted refresh_token"]);
  expect(pagesAsked(servers)).toBe(1);
});

test("after the log-out, the server refuses the token, and the user logs in again", async () => {
  await sit();
  const servers = await startServers({ registration: true }, { tokens: "opaque" });
  const provider = providerOf();
  const client = await connect(servers.server, provider);
  const token = await provider.token({ url: servers.server.url });
  await provider.logout(servers.server.url);
  expect(await servers.auth.introspect(token ?? "")).toEqual({ active: false });
  expect(await call(client, "read")).toBe("read by ada");
  expect(pagesAsked(servers)).toBe(2);
});

test("a user who refuses reads so, and the call fails with the reason", async () => {
  const { pages } = await sit({ refuses: true });
  const { server } = await startServers({ registration: true });
  await expect(connect(server, providerOf())).rejects.toMatchObject({
    code: "AUTHORIZATION_FAILED",
    data: { reason: "denied", error: "access_denied" },
  });
  await expect(Promise.all(pages)).resolves.toEqual([expect.stringContaining("You were not logged in") as unknown]);
});

test("a user who closes the page gets a clear error in time", async () => {
  const user = new BrowserUser(browser);
  onTestFinished(() => user.close());
  const { server } = await startServers({ registration: true });
  const openUrl = async (url: URL): Promise<boolean> => {
    const page = await user.open(url);
    await page.close();
    return true;
  };
  const failure = connect(server, providerOf({ openUrl, loginTimeoutMs: 2_000 }));
  await expect(failure).rejects.toMatchObject({ code: "AUTHORIZATION_FAILED", data: { reason: "abandoned" } });
});

test("tokens are bound to a key, with nonces of both servers", async () => {
  await sit();
  const { auth, server } = await startServers({ registration: true, dpopNonces: true }, { dpop: "nonces" });
  const client = await connect(server, providerOf());
  server.renewNonce();
  expect(await call(client, "write")).toBe("write by ada");
  expect(auth.events).toContain("refused use_dpop_nonce");
});
