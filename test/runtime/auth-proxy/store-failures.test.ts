/** The store of an OAuth proxy is away, full or changed: clients get an OAuth error, and no code or token is lost. */
import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import { authorizationUrl, authorize, logIn, nativeClient, redeem, refresh, register } from "./log-in.js";
import { startProxy, TestBrowser } from "./started-proxy.js";

const secretText = "disk full at /var/lib/secret";

/** Fails as a test demands. */
class FailingStore extends MemoryProxyStore {
  /** The calls that fail: a method, or a method with a kind. */
  failing: readonly string[] = [];

  override get(kind: string, id: string): string | undefined {
    this.#check("get", kind);
    return super.get(kind, id);
  }

  override set(...values: Parameters<MemoryProxyStore["set"]>): void {
    this.#check("set", values[0]);
    super.set(...values);
  }

  override take(kind: string, id: string): string | undefined {
    this.#check("take", kind);
    return super.take(kind, id);
  }

  override count(kind: string): number {
    this.#check("count", kind);
    return super.count(kind);
  }

  override deleteGroup(kind: string, group: string): void {
    this.#check("deleteGroup", kind);
    super.deleteGroup(kind, group);
  }

  #check(method: string, kind: string): void {
    if (this.failing.includes(method) || this.failing.includes(`${method} ${kind}`)) throw new Error(secretText);
  }
}

const all = ["get", "set", "take", "count", "deleteGroup"];

async function start(): Promise<{ store: FailingStore; started: Awaited<ReturnType<typeof startProxy>> }> {
  const store = new FailingStore();
  return { store, started: await startProxy({ store }) };
}

const serverError = { error: "server_error", error_description: expect.stringContaining("try again later") as string };

test("registration", async () => {
  const { store, started } = await start();
  for (const failing of [["count"], ["set Client"]]) {
    store.failing = failing;
    const response = await fetch(`${started.issuer}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(nativeClient),
    });
    expect(response.status).toBeGreaterThanOrEqual(500);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual(serverError);
    expect(text).not.toContain(secretText);
  }
  store.failing = [];
  await register(started.issuer);
  expect(started.errors.map(({ cause }) => (cause as Error | undefined)?.message)).toContain(secretText);
});

test.each([["get Client"], ["set Interaction"], ["count"]])(
  "an authorization request while %s fails",
  async (failing) => {
    const { store, started } = await start();
    const client = await register(started.issuer);
    const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
    store.failing = [failing];
    const { location, page } = await new TestBrowser().visit(url);
    if (location) expect(location.searchParams.get("error")).toBe("server_error");
    else {
      expect(page?.status).toBeGreaterThanOrEqual(500);
      const text = await page?.text();
      expect(text).toContain("server_error");
      expect(text).not.toContain(secretText);
    }
    expect(started.errors.length).toBeGreaterThan(0);
    store.failing = [];
    expect((await new TestBrowser().visit(url)).location?.searchParams.get("code")).toHaveLength(43);
  },
);

describe("a code stays valid", () => {
  test.each([all, ["get"], ["take"], ["set"], ["set AccessToken"], ["set RefreshToken"]])(
    "while %s fails",
    async (...failing) => {
      const { store, started } = await start();
      const code = await authorize(started, await register(started.issuer));
      store.failing = failing;
      const { status, body } = await redeem(started.issuer, code);
      expect([status, body]).toEqual([503, serverError]);
      store.failing = [];
      // When every write fails, the use of the code cannot be undone either.
      const isLost = failing.includes("set") && !failing.includes("take");
      expect((await redeem(started.issuer, code)).status).toBe(isLost ? 400 : 200);
    },
  );
});

describe("a refresh token stays valid", () => {
  test.each([all, ["get"], ["take"], ["set AccessToken"], ["set RefreshToken"]])(
    "while %s fails",
    async (...failing) => {
      const { store, started } = await start();
      const tokens = await logIn(started);
      store.failing = failing;
      expect(await refresh(started.issuer, tokens)).toMatchObject({ status: 503, body: serverError });
      store.failing = [];
      expect(await refresh(started.issuer, tokens)).toMatchObject({ status: 200 });
    },
  );
});

test("a token whose revocation failed is still valid, and the client learns that", async () => {
  const { store, started } = await start();
  const { access_token, refresh_token, client } = await logIn(started);
  store.failing = ["deleteGroup"];
  const body = new URLSearchParams({ token: refresh_token, client_id: client.client_id });
  expect((await fetch(`${started.issuer}/revoke`, { method: "POST", body })).status).toBe(503);
  store.failing = [];
  expect(
    (
      await fetch(`${started.issuer}/revoke`, {
        method: "POST",
        body: new URLSearchParams({ token: access_token, client_id: client.client_id }),
      })
    ).status,
  ).toBe(200);
  const { resource, proxy } = started;
  await expect(proxy.verifier.verifyAccessToken(access_token, { resource })).rejects.toMatchObject({
    reason: "inactive",
  });
});

test("a token cannot be verified: not the client's fault", async () => {
  const { store, started } = await start();
  const { access_token } = await logIn(started);
  store.failing = ["get"];
  await expect(started.proxy.verifier.verifyAccessToken(access_token, started)).rejects.toMatchObject({
    name: "TokenVerificationError",
    message: expect.not.stringContaining(secretText) as string,
  });
  store.failing = [];
  await started.proxy.verifier.verifyAccessToken(access_token, started);
});

test("a client whose use cannot be written gets its tokens all the same", async () => {
  const { store, started } = await start();
  const code = await authorize(started, await register(started.issuer));
  store.failing = ["set Client"];
  expect(await redeem(started.issuer, code)).toMatchObject({ status: 200 });
  expect(started.errors).toHaveLength(1);
});

test("values that were changed, or sealed with another secret, count as missing", async () => {
  const store = new MemoryProxyStore();
  const first = await startProxy({ store });
  const { access_token, ...tokens } = await logIn(first);
  const second = await startProxy({
    store,
    issuer: first.issuer,
    resource: first.resource,
    secrets: ["another secret, which is long enough too"],
  });
  await expect(second.proxy.verifier.verifyAccessToken(access_token, first)).rejects.toMatchObject({
    reason: "inactive",
  });
  expect(second.errors[0]).toMatchObject({ message: expect.stringContaining("AccessToken") as string });
  const rotated = await startProxy({
    store,
    issuer: first.issuer,
    resource: first.resource,
    secrets: ["another secret, which is long enough too", "a secret of the tests, which is long enough"],
  });
  await rotated.proxy.verifier.verifyAccessToken(access_token, first);
  expect(await refresh(first.issuer, { access_token, ...tokens })).toMatchObject({ status: 200 });
});
