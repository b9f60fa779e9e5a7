import { describe, expect, it } from "vitest";
import {
  authorizationUrl,
  Browser,
  type FlowProxy,
  loopbackRedirect,
  redeem,
  startFlow,
  webRedirect,
} from "./log-in-flow.js";

/** Loads the consent page. */
async function openPage(flow: FlowProxy, browser: Browser, request: Parameters<typeof authorizationUrl>[1] = {}) {
  const { url } = await authorizationUrl(flow, request);
  const { url: at, response } = await browser.follow(url, [flow.issuer]);
  if (!response) throw new Error(`no page: ${at.href}`);
  return { at, response, text: await response.text() };
}

function isAsked(result: { readonly url: URL; readonly response?: Response }): boolean {
  return result.response !== undefined && result.url.pathname.startsWith("/consent/");
}

describe("a log-in through the proxy", () => {
  it("gives the client a token, and tools the token of the provider", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const done = await browser.logIn(flow);
    expect(`${done.url.origin}${done.url.pathname}`).toBe(webRedirect);
    expect(done.url.searchParams.get("state")).toBe("state of the client");
    expect(done.url.searchParams.get("iss")).toBe(flow.issuer);
    const tokens = await redeem(flow, done);
    const facts = await flow.proxy.verifier.verifyAccessToken(tokens.access_token, { resource: `${flow.issuer}/mcp` });
    expect(facts).toMatchObject({ issuer: flow.issuer, clientId: "web", scopes: ["files:read"] });
    const access = await flow.proxy.upstreamTokens(facts);
    expect(access).toMatchObject({ issuer: flow.provider.issuer, subject: "ada" });
    expect(await flow.provider.introspect(access.accessToken)).toMatchObject({ active: true, sub: "ada" });
    const shown = [
      ...browser.log.filter((line) => line.startsWith(flow.issuer)),
      JSON.stringify(tokens),
      JSON.stringify(facts),
    ].join("\n");
    expect(shown).not.toContain(access.accessToken);
    expect(access).not.toHaveProperty("refreshToken");
    expect(flow.errors).toEqual([]);
  });

  it("has one account per user of the provider", async () => {
    const flow = await startFlow();
    const subjects = [];
    for (const login of ["ada", "ada", "bob"]) {
      const { access_token } = await redeem(flow, await new Browser().logIn(flow, {}, { login }));
      subjects.push(
        (await flow.proxy.verifier.verifyAccessToken(access_token, { resource: `${flow.issuer}/mcp` })).subject,
      );
    }
    expect(subjects[0]).toBe(subjects[1]);
    expect(subjects[0]).not.toBe(subjects[2]);
  });

  it("reports to the client that the user denied", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const { at, text } = await openPage(flow, browser);
    const next = await browser.decide(at, text, "deny");
    const { url } = await browser.follow(next, [flow.issuer]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: "access_denied",
      iss: flow.issuer,
      state: "state of the client",
    });
    expect(flow.provider.events).not.toContain("page");
  });

  it("reports to the client that the user refused at the provider", async () => {
    const flow = await startFlow();
    const { url } = await new Browser().logIn(flow, {}, { refuses: true });
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: "access_denied", iss: flow.issuer });
  });
});

describe("the consent page", () => {
  it("shows client, redirect, scopes and provider, and escapes what the client states", async () => {
    const flow = await startFlow();
    const { text, response } = await openPage(flow, new Browser(), {
      clientId: "desktop",
      redirectUri: loopbackRedirect,
    });
    expect(text).toContain("&#60;b&#62;Desktop&#60;/b&#62; client");
    expect(text).not.toContain("<b>");
    expect(text).toContain("this computer (127.0.0.1)");
    expect(text).toContain("Any program on it can pretend to be");
    expect(text).toContain("Read your files");
    expect(text).not.toContain("Change your files");
    expect(text).toContain("Acme");
    expect(text).toContain("The service asks Acme for: <code>openid</code>, <code>offline_access</code>.");
    expect(text).toContain('<html lang="en">');
    expect(text).not.toContain("<script");
    const { headers } = response;
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("has no effects: GET and HEAD set no state, and no cookie but that of the form", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const { at, response } = await openPage(flow, browser);
    const names = response.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
    expect(names).toEqual([expect.stringMatching(/^mcp-form-[\w-]{16}$/)]);
    expect(response.headers.getSetCookie()[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d{3}$/);
    await browser.load(at, { headers: { "sec-purpose": "prefetch" } });
    expect([...browser.cookies.values()].some(({ value }) => value.startsWith("mcp-login-"))).toBe(false);
    expect(flow.provider.events).toEqual([]);
  });

  const forged: readonly (readonly [string, (page: string) => RequestInit, number])[] = [
    ["without a CSRF token", () => ({ body: new URLSearchParams({ decision: "allow" }) }), 403],
    [
      "with a wrong CSRF token",
      () => ({ body: new URLSearchParams({ decision: "allow", csrf: "x".repeat(43) }) }),
      403,
    ],
    [
      "from another site",
      (csrf) => ({
        body: new URLSearchParams({ decision: "allow", csrf }),
        headers: { "sec-fetch-site": "cross-site" },
      }),
      403,
    ],
    [
      "with another origin",
      (csrf) => ({
        body: new URLSearchParams({ decision: "allow", csrf }),
        headers: { origin: "https://evil.example" },
      }),
      403,
    ],
    [
      "as JSON",
      (csrf) => ({
        body: JSON.stringify({ decision: "allow", csrf }),
        headers: { "content-type": "application/json" },
      }),
      415,
    ],
    [
      "as plain text",
      (csrf) => ({ body: `decision=allow&csrf=${csrf}`, headers: { "content-type": "text/plain" } }),
      415,
    ],
    ["without a decision", (csrf) => ({ body: new URLSearchParams({ csrf }) }), 400],
    [
      "with two decisions",
      (csrf) => ({
        body: new URLSearchParams([
          ["csrf", csrf],
          ["decision", "deny"],
          ["decision", "allow"],
        ]),
      }),
      400,
    ],
    [
      "with a body that is too large",
      (csrf) => ({ body: new URLSearchParams({ csrf, decision: "allow", more: "x".repeat(10_000) }) }),
      413,
    ],
  ];

  it.each(forged)("refuses a decision %s", async (_name, init, status) => {
    const flow = await startFlow();
    const browser = new Browser();
    const { at, text } = await openPage(flow, browser);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const response = await browser.load(at, { method: "POST", ...init(csrf) });
    expect(response.status).toBe(status);
    expect([...browser.cookies.values()].some(({ value }) => value.startsWith("mcp-login-"))).toBe(false);
    expect(flow.provider.events).toEqual([]);
  });

  it("refuses the token of another session, and another browser", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    const stolen = await openPage(flow, attacker);
    const own = await openPage(flow, victim);
    const csrf = /name="csrf" value="([^"]+)"/.exec(stolen.text)?.[1] ?? "";
    const body = (): URLSearchParams => new URLSearchParams({ decision: "allow", csrf });
    expect((await victim.load(own.at, { method: "POST", body: body() })).status).toBe(403);
    expect((await victim.load(stolen.at, { method: "POST", body: body() })).status).toBe(400);
    expect((await victim.load(stolen.at)).status).toBe(400);
    expect((await new Browser().load(`${flow.issuer}/consent/unknown`)).status).toBe(400);
  });

  it("is answered in one of several tabs that were opened together", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const tabs = [await openPage(flow, browser), await openPage(flow, browser)];
    for (const { at, text } of tabs) {
      const callback = await browser.logInAtProvider(await browser.decide(at, text, "allow"));
      expect((await browser.follow(callback, [flow.issuer])).url.searchParams.get("code")).toBeTruthy();
    }
  });

  it("leaves a browser with few cookies, however many authorizations it is sent into", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    for (let count = 0; count < 30; count++) await openPage(flow, browser);
    const { at, text } = await openPage(flow, browser);
    const forms = [...browser.cookies.values()].filter(({ path }) => path === "/");
    expect(forms).toHaveLength(10);
    expect((await browser.decide(at, text, "allow")).origin).toBe(flow.provider.issuer);
  });

  it("cannot be passed by GET, or by the path where the engine resumes", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const { at } = await openPage(flow, browser);
    const asked = await browser.load(`${at.href}?decision=allow`);
    expect(asked.status).toBe(200);
    const resumed = await browser.follow(at.href.replace("/consent/", "/authorize/"), [flow.issuer]);
    expect(isAsked(resumed)).toBe(true);
    expect(flow.provider.events).toEqual([]);
  });
});

describe("a remembered consent", () => {
  it("skips the page for the same client, redirect URI and scopes only", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    await browser.logIn(flow, {}, { remember: true });
    const again = await authorizationUrl(flow);
    const { url } = await browser.follow(again.url, [flow.issuer]);
    expect(url.origin).toBe(flow.provider.issuer);
    const callback = await browser.logInAtProvider(url);
    expect((await browser.follow(callback, [flow.issuer])).url.searchParams.get("code")).toBeTruthy();
    for (const request of [
      { scope: "files:read files:write" },
      { scope: "files:write" },
      { redirectUri: "https://client.example/other" },
      { clientId: "other" },
      { prompt: "consent" },
    ])
      expect(isAsked(await browser.follow((await authorizationUrl(flow, request)).url, [flow.issuer]))).toBe(true);
    expect(isAsked(await new Browser().follow((await authorizationUrl(flow)).url, [flow.issuer]))).toBe(true);
  });

  it("is that of one user: another one is asked", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    await browser.logIn(flow, {}, { remember: true });
    const { url } = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
    for (const key of browser.cookies.keys())
      if (key.startsWith(`${new URL(flow.provider.issuer).port} `)) browser.cookies.delete(key);
    const callback = await browser.logInAtProvider(url, "bob");
    expect(isAsked(await browser.follow(callback, [flow.issuer]))).toBe(true);
  });

  it("is that of one browser, which remembers several", async () => {
    const flow = await startFlow();
    const [browser, other] = [new Browser(), new Browser()];
    const write = { scope: "files:write" };
    await browser.logIn(flow, {}, { remember: true });
    await other.logIn(flow, write, { remember: true });
    const asked = async (at: Browser, request = {}): Promise<boolean> =>
      isAsked(await at.follow((await authorizationUrl(flow, request)).url, [flow.issuer]));
    expect([await asked(browser), await asked(browser, write)]).toEqual([false, true]);
    await browser.logIn(flow, write, { remember: true });
    expect([await asked(browser), await asked(browser, write), await asked(other)]).toEqual([false, false, true]);
  });

  it("is neither offered for programs on the computer, nor used in advance, nor without the wish of the user", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    await browser.logIn(flow, {}, { remember: true });
    const desktop = { clientId: "desktop", redirectUri: loopbackRedirect };
    expect((await openPage(flow, browser, desktop)).text).not.toContain('name="remember"');
    const { url } = await authorizationUrl(flow);
    const page = new URL((await browser.load(url)).headers.get("location") ?? "", url);
    for (const headers of [{ "sec-purpose": "prefetch;prerender" }, { "sec-fetch-dest": "iframe" }] as const)
      expect((await browser.load(page, { headers })).status).toBe(200);
    const other = new Browser();
    await other.logIn(flow);
    expect(isAsked(await other.follow((await authorizationUrl(flow)).url, [flow.issuer]))).toBe(true);
  });

  it("does not exist with rememberConsentDays 0", async () => {
    const flow = await startFlow({ rememberConsentDays: 0 });
    const browser = new Browser();
    await browser.logIn(flow, {}, { remember: true });
    expect(isAsked(await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]))).toBe(true);
  });
});

describe("the callback", () => {
  async function returned(flow: FlowProxy, browser: Browser, login = "ada"): Promise<URL> {
    const { at, text } = await openPage(flow, browser);
    return browser.logInAtProvider(await browser.decide(at, text, "allow"), login);
  }

  it("accepts a state once", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const callback = await returned(flow, browser);
    expect((await browser.load(callback)).status).toBe(303);
    expect((await browser.load(callback)).status).toBe(400);
  });

  it("refuses another browser, which does not use the state up", async () => {
    const flow = await startFlow();
    const browser = new Browser();
    const callback = await returned(flow, browser);
    expect((await new Browser().load(callback)).status).toBe(400);
    const other = new Browser();
    await returned(flow, other);
    expect((await other.load(callback)).status).toBe(400);
    expect((await browser.load(callback)).status).toBe(303);
  });

  it.each([
    ["HEAD", { method: "HEAD" }, 405],
    ["POST", { method: "POST" }, 405],
    ["prefetch", { headers: { "sec-purpose": "prefetch" } }, 503],
  ] as const)("does not use the state up on %s", async (_name, init, status) => {
    const flow = await startFlow();
    const browser = new Browser();
    const callback = await returned(flow, browser);
    expect((await browser.load(callback, init)).status).toBe(status);
    expect((await browser.load(callback)).status).toBe(303);
  });

  it.each(["", "?code=x", "?code=x&state=", "?code=x&state=short", `?code=x&state=${"x".repeat(43)}`])(
    "refuses %j",
    async (query) => {
      const flow = await startFlow();
      const response = await new Browser().load(`${flow.issuer}/callback${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("start the log-in again");
    },
  );

  const changed: readonly (readonly [string, (callback: URL, attacker: URL) => void, string])[] = [
    [
      "the code of an attacker's account",
      (url, attacker) => url.searchParams.set("code", attacker.searchParams.get("code") ?? ""),
      "server_error",
    ],
    ["a code that the provider does not know", (url) => url.searchParams.set("code", "guessed"), "server_error"],
    ["the iss of another provider", (url) => url.searchParams.set("iss", "https://evil.example"), "server_error"],
    ["no iss of a provider that announces it", (url) => url.searchParams.delete("iss"), "server_error"],
    ["two codes", (url) => url.searchParams.append("code", "second"), "server_error"],
    ["no code", (url) => url.searchParams.delete("code"), "server_error"],
  ];

  it.each(changed)("refuses %s", async (_name, change, error) => {
    const flow = await startFlow();
    const browser = new Browser();
    const attacker = await returned(flow, new Browser(), "mallory");
    const callback = await returned(flow, browser);
    change(callback, attacker);
    const { url } = await browser.follow(callback, [flow.issuer]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error, iss: flow.issuer });
    expect(url.searchParams.get("code")).toBeNull();
    expect(flow.errors).toHaveLength(1);
  });
});
