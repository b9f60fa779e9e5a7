/** Log-ins during which the store, the secrets or the provider change: the process survives, and nothing secret is shown. */
import { describe, expect, it } from "vitest";
import { createOAuthProxy } from "../../../runtime/src/auth-proxy/create-oauth-proxy.js";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import type { OAuthProxyOptions } from "../../../runtime/src/auth-proxy/oauth-proxy-options.js";
import { authorizationUrl, Browser, type FlowProxy, redeem, startFlow } from "./log-in-flow.js";

const diskText = "disk full at /var/lib/secret";

/** Counts its calls, changes its values, and fails as a test demands. */
class TroubledStore extends MemoryProxyStore {
  calls = 0;
  fails: (call: number) => boolean = () => false;
  /** The ids by kind. */
  readonly ids = new Map<string, Set<string>>();
  readonly values: string[] = [];

  override get(...call: Parameters<MemoryProxyStore["get"]>): string | undefined {
    this.#check();
    return super.get(...call);
  }

  override set(...call: Parameters<MemoryProxyStore["set"]>): void {
    this.#check();
    const [kind, id, value] = call;
    this.ids.set(kind, (this.ids.get(kind) ?? new Set()).add(id));
    this.values.push(id, value);
    super.set(...call);
  }

  override take(...call: Parameters<MemoryProxyStore["take"]>): string | undefined {
    this.#check();
    return super.take(...call);
  }

  override delete(...call: Parameters<MemoryProxyStore["delete"]>): void {
    this.#check();
    super.delete(...call);
  }

  override deleteGroup(...call: Parameters<MemoryProxyStore["deleteGroup"]>): void {
    this.#check();
    super.deleteGroup(...call);
  }

  #check(): void {
    if (this.fails(++this.calls)) throw new Error(diskText);
  }
}

async function start(options: Partial<OAuthProxyOptions> = {}): Promise<{ flow: FlowProxy; store: TroubledStore }> {
  const store = new TroubledStore();
  return { flow: await startFlow({ store, ...options }), store };
}

/** The account of an MCP token. */
async function accountOf({ proxy, issuer }: FlowProxy, token: string): Promise<{ issuer: string; subject: string }> {
  return proxy.verifier.verifyAccessToken(token, { resource: `${issuer}/mcp` });
}

/** Begins a log-in. @returns the callback of the provider, not loaded yet */
async function callbackOf(flow: FlowProxy, browser: Browser, login = "ada"): Promise<{ url: URL; verifier: string }> {
  const { url, verifier } = await authorizationUrl(flow);
  const page = await browser.follow(url, [flow.issuer]);
  const next = await browser.decide(page.url, (await page.response?.text()) ?? "", "allow");
  return { url: await browser.logInAtProvider(next, login), verifier };
}

/** Logs in and uses the tokens. @returns what users and clients saw of the proxy */
async function attempt(flow: FlowProxy): Promise<{ isDone: boolean; shown: string }> {
  const browser = new Browser();
  const shown: string[] = [];
  let isDone = false;
  try {
    const tokens = await redeem(flow, await browser.logIn(flow));
    const facts = await accountOf(flow, tokens.access_token);
    await flow.proxy.upstreamTokens(facts);
    isDone = true;
  } catch (error) {
    shown.push(String(error));
  }
  shown.push(...browser.log.filter((line) => line.startsWith(flow.issuer)));
  return { isDone, shown: shown.join("\n") };
}

describe("a store", () => {
  it("that fails at any call of a log-in ends that log-in only, and neither user nor client sees its error", async () => {
    const { flow, store } = await start();
    expect((await attempt(flow)).isDone).toBe(true);
    const calls = store.calls;
    expect(calls).toBeGreaterThan(15);
    for (let at = 1; at <= calls; at++) {
      flow.errors.length = 0;
      const from = store.calls;
      store.fails = (call) => call === from + at;
      const { isDone, shown } = await attempt(flow);
      store.fails = () => false;
      expect(shown.replaceAll(/ECONNREFUSED|socket/g, "CRASH")).not.toMatch(/disk full|CRASH|ProxyStore/);
      expect(isDone || flow.errors.length > 0, `call ${at} fails`).toBe(true);
    }
    expect((await attempt(flow)).isDone).toBe(true);
  }, 60_000);

  it("that is away from the callback on gives a page with an error, and works again later", async () => {
    const { flow, store } = await start();
    const browser = new Browser();
    const { url } = await callbackOf(flow, browser);
    store.fails = () => true;
    const response = await browser.load(url);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("disk");
    store.fails = () => false;
    expect((await browser.follow(url, [flow.issuer])).url.searchParams.get("code")).toBeTruthy();
  });

  it.each([
    ["garbage", () => "garbage"],
    ["nothing", () => ""],
    ["JSON", () => '{"uid":"x","accountId":"ada"}'],
    ["an unknown version", (value: string) => value.replace(/^1/, "2")],
    ["a changed value", (value: string) => `${value.slice(0, -3)}AAA`],
    [
      "a value of another row",
      (_value: string, { values }: TroubledStore) => values.find((one) => one.startsWith("1.")) ?? "",
    ],
  ])("whose values become %s ends the log-in", async (_name, change) => {
    const { flow, store } = await start();
    const browser = new Browser();
    const { url } = await callbackOf(flow, browser);
    for (const [kind, ids] of store.ids)
      for (const id of ids) store.set(kind, id, change(store.get(kind, id) ?? "", store), Date.now() + 60_000);
    const { response } = await browser.follow(url, [flow.issuer]);
    expect(response?.status).toBe(400);
    expect(flow.errors.some(({ message }) => message.includes("cannot be opened"))).toBe(true);
    expect((await attempt(flow)).isDone).toBe(true);
  });

  it("contains no token, code, cookie, verifier or state in plain text", async () => {
    const { flow, store } = await start();
    const browser = new Browser();
    const callback = await callbackOf(flow, browser);
    const cookies = [...browser.cookies.values()].map(({ value }) => value.replace(/^[^=]+=/, ""));
    const { url } = await browser.follow(callback.url, [flow.issuer]);
    const tokens = await redeem(flow, { ...callback, url });
    const { accessToken } = await flow.proxy.upstreamTokens(await accountOf(flow, tokens.access_token));
    const secrets = [
      ...cookies.filter((value) => value.length > 20),
      ...["code", "state"].map((name) => callback.url.searchParams.get(name)),
      url.searchParams.get("code"),
      tokens.access_token,
      tokens.refresh_token,
      accessToken,
      callback.verifier,
    ];
    const stored = store.values.join("\n");
    for (const secret of secrets) expect(stored).not.toContain(secret);
    expect(stored).not.toContain("ada");
  });

  it("in which the tokens of two accounts were exchanged gives neither", async () => {
    const { flow, store } = await start();
    const accounts = [];
    for (const login of ["ada", "bob"]) {
      const done = await new Browser().logIn(flow, {}, { login });
      accounts.push(await accountOf(flow, (await redeem(flow, done)).access_token));
    }
    const [ada, bob] = accounts.map(({ subject }) => subject) as [string, string];
    const sealed = [ada, bob].map((id) => store.get("UpstreamTokens", id) ?? "") as [string, string];
    store.set("UpstreamTokens", ada, sealed[1], Infinity);
    store.set("UpstreamTokens", bob, sealed[0], Infinity);
    for (const account of accounts)
      await expect(flow.proxy.upstreamTokens(account)).rejects.toMatchObject({ reason: "login-required" });
  });
});

describe("the secrets of the proxy", () => {
  it.each([
    [
      "with the old one",
      ["the new secret of the tests, also long", "a secret of the tests, which is long enough"],
      true,
    ],
    ["without the old one", ["the new secret of the tests, also long"], false],
  ] as const)("can be replaced during a log-in %s", async (_name, secrets, continues) => {
    const { flow, store } = await start();
    const browser = new Browser();
    const earlier = await redeem(flow, await new Browser().logIn(flow));
    const account = await accountOf(flow, earlier.access_token);
    const callback = await callbackOf(flow, browser);
    const { issuer, upstream, errors } = flow;
    const proxy = await createOAuthProxy({
      issuer,
      resource: `${issuer}/mcp`,
      upstream,
      store,
      secrets,
      scopes: { "files:read": "Read your files" },
      clients: [{ clientId: "web", redirectUris: ["https://client.example/callback"] }],
      onerror: (error) => errors.push(error),
    });
    flow.http.removeAllListeners("request").on("request", proxy.listener);
    const replaced = { ...flow, proxy };
    const { url, response } = await browser.follow(callback.url, [issuer]);
    if (continues) {
      const tokens = await redeem(replaced, { ...callback, url });
      expect((await accountOf(replaced, tokens.access_token)).subject).toBe(account.subject);
      expect((await accountOf(replaced, earlier.access_token)).subject).toBe(account.subject);
      expect(await proxy.upstreamTokens(account)).toMatchObject({ subject: "ada" });
      expect(errors).toEqual([]);
    } else {
      expect(response?.status).toBe(400);
      await expect(accountOf(replaced, earlier.access_token)).rejects.toThrow(/unknown, expired or revoked/);
      await expect(proxy.upstreamTokens(account)).rejects.toMatchObject({ reason: "login-required" });
      expect((await attempt(replaced)).isDone).toBe(true);
    }
    await proxy.close();
  });
});

describe("a provider", () => {
  it("that ends a log-in ends all MCP tokens of the account, and of no other", async () => {
    const { flow } = await start();
    const tokens = [];
    for (const [clientId, login] of [
      ["web", "ada"],
      ["other", "ada"],
      ["web", "bob"],
    ] as const) {
      const done = await new Browser().logIn(flow, { clientId }, { login });
      tokens.push({ clientId, ...(await redeem(flow, done, { clientId })) });
    }
    const [ada = { access_token: "" }] = tokens;
    const account = await accountOf(flow, ada.access_token);
    const { accessToken } = await flow.proxy.upstreamTokens(account);
    await flow.provider.expireRefreshTokens();
    await expect(flow.proxy.upstreamTokens(account, accessToken)).rejects.toMatchObject({ reason: "login-required" });
    const outcomes = [];
    for (const { clientId, access_token, refresh_token } of tokens) {
      const verified = await accountOf(flow, access_token).then(
        () => "accepted",
        (error: unknown) => (error as { reason: string }).reason,
      );
      const body = new URLSearchParams({ grant_type: "refresh_token", client_id: clientId, refresh_token });
      const response = await fetch(`${flow.issuer}/token`, { method: "POST", body });
      outcomes.push([verified, ((await response.json()) as { error?: string }).error]);
    }
    expect(outcomes).toEqual([
      ["inactive", "invalid_grant"],
      ["inactive", "invalid_grant"],
      ["accepted", undefined],
    ]);
  });

  it("that reports an error with markup and secrets shows neither to the user and the client", async () => {
    const { flow } = await start();
    const browser = new Browser();
    const { url } = await callbackOf(flow, browser);
    const state = url.searchParams.get("state") ?? "";
    url.searchParams.delete("code");
    url.searchParams.set("error", "<script>alert(1)</script>");
    url.searchParams.set("error_description", `\u202E"><img src=x onerror=alert(1)> ${state}`);
    const { url: end } = await browser.follow(url, [flow.issuer]);
    expect(Object.fromEntries(end.searchParams)).toMatchObject({
      error: "server_error",
      error_description: "the log-in at Acme failed",
    });
    const shown = `${browser.log.at(-1)} ${end.href}`;
    expect(shown).not.toMatch(/alert|img|\u202E/);
    expect(shown).not.toContain(state);
    expect(flow.errors).toHaveLength(1);
    expect(`${flow.errors[0]?.message} ${flow.errors[0]?.stack}`).not.toContain(state);
  });

  it("that is down when the user consents gives the client an error", async () => {
    const { flow } = await start();
    await flow.provider.close();
    const browser = new Browser();
    const page = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
    const next = await browser.decide(page.url, (await page.response?.text()) ?? "", "allow");
    const { url } = await browser.follow(next, [flow.issuer]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: "temporarily_unavailable" });
  });
});

describe("two log-ins at once in one browser", () => {
  it("do not disturb each other, in either order", async () => {
    const { flow } = await start();
    const browser = new Browser();
    const first = await callbackOf(flow, browser);
    const second = await callbackOf(flow, browser);
    for (const one of [second, first]) {
      const { url } = await browser.follow(one.url, [flow.issuer]);
      expect((await redeem(flow, { ...one, url })).access_token).toBeTruthy();
    }
  });

  it("cannot use one response of the provider twice at the same time", async () => {
    const { flow } = await start();
    const browser = new Browser();
    const { url } = await callbackOf(flow, browser);
    const responses = await Promise.all(Array.from({ length: 5 }, () => browser.load(url)));
    expect(responses.map(({ status }) => status).sort((one, other) => one - other)).toEqual([303, 400, 400, 400, 400]);
    expect(flow.provider.events.filter((event) => event.startsWith("granted"))).toHaveLength(1);
  });

  it("end with the first answer: tokens of a log-in are not kept after the user has denied", async () => {
    const { flow, store } = await start();
    const browser = new Browser();
    const page = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
    const text = (await page.response?.text()) ?? "";
    const callback = await browser.logInAtProvider(await browser.decide(page.url, text, "allow"));
    await browser.decide(page.url, text, "deny");
    expect((await browser.load(page.url)).status).toBe(400);
    expect((await browser.load(callback)).status).toBe(400);
    expect(store.count("UpstreamTokens")).toBe(0);
  });

  it("cannot exchange the codes of the provider", async () => {
    const { flow } = await start();
    const browser = new Browser();
    const first = await callbackOf(flow, browser);
    const second = await callbackOf(flow, browser);
    first.url.searchParams.set("code", second.url.searchParams.get("code") ?? "");
    const { url } = await browser.follow(first.url, [flow.issuer]);
    expect(url.searchParams.get("error")).toBe("server_error");
  });
});
