import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  FileCredentialStore,
  InteractiveProvider,
  type InteractiveProviderOptions,
} from "../../../runtime/src/auth-node.js";
import { AuthorizationError } from "../../../runtime/src/auth.js";
import { AuthorizedFetch } from "../../../runtime/src/http-client/authorized-fetch.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { FakeAuthorizationServer } from "../auth/fake-authorization-server.js";
import { FakeNetwork } from "../auth/fake-network.js";
import { FakeResourceServer } from "../auth/fake-resource-server.js";

/** A protected server, its authorization server, and the browser of a user. */
function world() {
  const network = new FakeNetwork();
  const authServer = new FakeAuthorizationServer(network);
  const server = new FakeResourceServer(network, [authServer]);
  const pages: string[] = [];
  const redirectUris: string[] = [];
  /** Logs in at once, and loads the page at the end. */
  const openUrl = async (url: URL): Promise<boolean> => {
    const callback = await authServer.visit(url);
    redirectUris.push(url.searchParams.get("redirect_uri") ?? "");
    void fetch(callback).then(async (response) => pages.push(await response.text()));
    return true;
  };
  const newProvider = (options: Partial<InteractiveProviderOptions> = {}): InteractiveProvider => {
    const provider = new InteractiveProvider({
      clientName: "Notes",
      fetch: network.fetch,
      openUrl,
      print: () => undefined,
      ...options,
    });
    onTestFinished(() => provider.close());
    return provider;
  };
  const call = (provider: InteractiveProvider, signal = new AbortController().signal): Promise<Response> =>
    new AuthorizedFetch(new URL(server.url), { fetch: network.fetch, authProvider: provider }).send({
      method: "POST",
      headers: {},
      body: "{}",
      signal,
    });
  return { network, authServer, server, pages, redirectUris, newProvider, call };
}

test("a rejected request opens the browser, and succeeds after the log-in", async () => {
  const { newProvider, call, pages, redirectUris } = world();
  const provider = newProvider();
  const [one, other] = await Promise.all([call(provider), call(provider)]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(redirectUris).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)]);
  await expect.poll(() => pages).toHaveLength(1);
  expect(pages[0]).toContain("You are logged in");
  expect(pages[0]).toContain("return to Notes");
  await expect(fetch(redirectUris[0] ?? "")).rejects.toThrow("fetch failed");
});

test("a file keeps the log-in for the next start, and log-out ends it", async () => {
  const { newProvider, call, redirectUris, authServer, server } = world();
  const path = join(temporaryFolder("login"), "credentials.json");
  const start = (): InteractiveProvider => newProvider({ store: new FileCredentialStore(path) });
  expect((await call(start())).status).toBe(200);
  expect((await call(start())).status).toBe(200);
  expect(redirectUris).toHaveLength(1);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  authServer.expireAccessTokens();
  expect((await call(start())).status).toBe(200);
  expect(redirectUris).toHaveLength(1);
  await start().logout(server.url);
  expect(authServer.accessTokens.size + authServer.refreshTokens.size).toBe(0);
  expect((await call(start())).status).toBe(200);
  // The registration is kept, so its port is used again.
  expect(redirectUris).toHaveLength(2);
  expect(new Set(redirectUris).size).toBe(1);
  expect(authServer.clients.size).toBe(1);
});

test("two providers on one file refresh once", async () => {
  const { newProvider, call, authServer, network } = world();
  const path = join(temporaryFolder("login"), "credentials.json");
  const [one, other] = [1, 2].map(() => newProvider({ store: new FileCredentialStore(path) }));
  if (!one || !other) throw new Error("no providers");
  await call(one);
  await call(other);
  authServer.expireAccessTokens();
  const before = network.requests("POST https://auth.example.com/token").length;
  const responses = await Promise.all([call(one), call(other)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(network.requests("POST https://auth.example.com/token").length - before).toBe(1);
});

test("the user refuses", async () => {
  const { newProvider, call, authServer, pages } = world();
  authServer.settings.refuses = true;
  await expect(call(newProvider())).rejects.toMatchObject({ reason: "denied", data: { error: "access_denied" } });
  await expect.poll(() => pages).toHaveLength(1);
  expect(pages[0]).toContain("You were not logged in");
});

test("the token endpoint refuses the code, which the page says", async () => {
  const { newProvider, call, network, pages } = world();
  network.fail({
    at: "/token",
    respond: () => Response.json({ error: "invalid_grant", error_description: "<b>late</b>" }, { status: 400 }),
  });
  await expect(call(newProvider())).rejects.toMatchObject({ reason: "token-refused" });
  await expect.poll(() => pages.length).toBeGreaterThan(0);
  expect(pages[0]).toContain("The log-in has failed");
  expect(pages[0]).not.toContain("<b>");
});

test("the user closes the browser", async () => {
  const { newProvider, call } = world();
  const provider = newProvider({ openUrl: () => true, loginTimeoutMs: 30 });
  await expect(call(provider)).rejects.toMatchObject({ reason: "abandoned" });
});

test("the caller gives up, and close ends the log-in", async () => {
  const { newProvider, call } = world();
  let opened: (() => void) | undefined;
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const uris: string[] = [];
  const provider = newProvider({
    openUrl: (url) => {
      uris.push(url.searchParams.get("redirect_uri") ?? "");
      opened?.();
      return true;
    },
  });
  const end = new AbortController();
  const reason = new Error("Ctrl-C");
  const calling = call(provider, end.signal);
  await isOpen;
  end.abort(reason);
  await expect(calling).rejects.toBe(reason);
  await provider.close();
  await expect(fetch(uris[0] ?? "")).rejects.toThrow("fetch failed");
});

test("a second log-in on the same port fails with the reason, and the first one goes on", async () => {
  const { newProvider, call, authServer } = world();
  let opened: (url: URL) => void = () => undefined;
  const isOpen = new Promise<URL>((resolve) => (opened = resolve));
  const first = newProvider({
    openUrl: (url) => {
      opened(url);
      return true;
    },
  });
  const calling = call(first);
  const url = await isOpen;
  const port = Number(new URL(url.searchParams.get("redirect_uri") ?? "").port);
  await expect(call(newProvider({ port }))).rejects.toMatchObject({
    reason: "callback-unavailable",
    message: expect.stringContaining("the port is in use") as string,
  });
  expect((await fetch(await authServer.visit(url))).status).toBe(200);
  expect((await calling).status).toBe(200);
});

test("an unsafe authorization URL is not opened", async () => {
  const { newProvider, call, authServer } = world();
  for (const url of ["javascript:alert(1)", "file:///bin/sh", "http://as.example/authorize"]) {
    authServer.settings.metadata = { authorization_endpoint: url };
    const error = await call(newProvider({ openUrl: () => Promise.reject(new Error("opened")) })).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(AuthorizationError);
  }
});
