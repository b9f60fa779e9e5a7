/** The users who may use a link, how often, and from where. */
import { expect, test, vi } from "vitest";
import { linkIn, logInPlace, type LogInPlace, names, origin, page } from "./log-in-place.js";

const whoami = { name: "docs_whoami" };
const loggedOut = ["other_open", "docs_log_in"];

async function linkOf(at: LogInPlace, user: string): Promise<string> {
  return linkIn(await (await at.connect(user, "2026-07-28")).callTool({ name: "docs_log_in" }));
}

test("another user who opens a link is refused, and connects nothing", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const shown = await at.browserOf("bo").logIn(url);
  expect(shown).toMatchObject({ status: 403, text: expect.stringContaining("for another user") as string });
  expect(at.login.codes.size).toBe(0);
  expect(await names(await at.connect("ann", "2026-07-28"))).toEqual(loggedOut);
  expect(await names(await at.connect("bo", "2026-07-28"))).toEqual(loggedOut);
  // The user who asked can still use it.
  expect((await at.browserOf("ann").logIn(url)).status).toBe(200);
});

test("a user with the same name at another issuer is another user", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const { authorization } = at.node;
  const authenticate = authorization.authenticate.bind(authorization);
  vi.spyOn(authorization, "authenticate").mockImplementation(async (request) => {
    const answer = await authenticate(request);
    return "principal" in answer ? { principal: { ...answer.principal, issuer: "https://evil.example.com" } } : answer;
  });
  expect((await at.browserOf("ann").logIn(url)).status).toBe(403);
});

test("the page of the server's authorization server is of no use in another browser", async () => {
  const at = logInPlace();
  // Ann passes the phishing page on to Bo, after she has proved who she is.
  const sent = await at.browserOf("ann").logIn(await linkOf(at, "ann"), "https://login.docs.example.com/authorize");
  expect(sent.url.href).toContain("https://login.docs.example.com/authorize");
  const shown = await at.browserOf("bo").open(sent.url);
  expect(shown).toMatchObject({ status: 403, text: expect.stringContaining("has not begun this log-in") as string });
  expect(shown.url.href).toContain(`${page}/callback`);
  expect(at.login.accessTokens.size).toBe(0);
  expect(await names(await at.connect("ann", "2026-07-28"))).toEqual(loggedOut);
});

test("a proof of identity is of no use in another browser", async () => {
  const at = logInPlace();
  const bo = await linkOf(at, "bo");
  // Ann gets a code for the gateway, and has Bo's browser deliver it.
  const returning = await at.browserOf("ann").logIn(await linkOf(at, "ann"), `${page}/signed-in`);
  const victim = at.browserOf("bo");
  await victim.logIn(bo, "https://auth.example.com/authorize");
  const shown = await victim.open(returning.url);
  expect(shown).toMatchObject({ status: 403, text: expect.stringContaining("has not begun this log-in") as string });
});

test("a callback of one phase is not accepted in the other", async () => {
  const at = logInPlace();
  const browser = at.browserOf("ann");
  const returning = await browser.logIn(await linkOf(at, "ann"), `${page}/signed-in`);
  const swapped = returning.url.href.replace("/signed-in", "/callback");
  expect((await browser.open(swapped)).status).toBe(403);
  expect((await browser.open(returning.url)).status).toBe(200);
});

test("a link can be used once", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const other = at.browserOf("ann");
  const late = await other.logIn(url, `${page}/callback`);
  expect((await at.browserOf("ann").logIn(url)).status).toBe(200);
  for (const shown of [await at.browserOf("ann").open(url), await at.browserOf("bo").open(url)])
    expect(shown).toMatchObject({ status: 410, text: expect.stringContaining("has been used") as string });
  // A log-in that began before is refused at its end.
  expect((await other.open(late.url)).status).toBe(403);
  expect(at.login.accessTokens.size).toBe(1);
});

test("a callback can be used once", async () => {
  const at = logInPlace();
  const browser = at.browserOf("ann");
  const returning = await browser.logIn(await linkOf(at, "ann"), `${page}/callback`);
  const cookies = new Map(browser.cookies);
  expect((await browser.open(returning.url)).status).toBe(200);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  expect((await browser.open(returning.url)).status).toBe(403);
});

test("a cookie that occurs twice is not used", async () => {
  const at = logInPlace();
  const browser = at.browserOf("ann");
  const returning = await browser.logIn(await linkOf(at, "ann"), `${page}/callback`);
  const [[key = "", value = ""] = []] = browser.cookies;
  const name = key.split(" ")[1] ?? "";
  const headers = (cookie: string) => ({ headers: { cookie } });
  const twice = headers(`${name}=planted; ${name}=${value}`);
  expect((await at.network.fetch(returning.url, twice)).status).toBe(403);
  expect((await at.network.fetch(returning.url, headers(`\u00a0${name}=${value}`.normalize("NFKC")))).status).toBe(200);
});

test("a link expires after 10 minutes", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const now = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(now + 10 * 60_000 - 2_000);
  try {
    expect((await at.browserOf("ann").open(url)).status).toBe(200);
    clock.mockReturnValue(now + 10 * 60_000 + 1);
    expect((await at.browserOf("ann").open(url)).status).toBe(410);
  } finally {
    clock.mockRestore();
  }
});

test("requests at the same time get links for one log-in", async () => {
  const at = logInPlace();
  const client = await at.connect("ann", "2026-07-28");
  const asked = await Promise.all([1, 2, 3].map(() => client.callTool(whoami)));
  for (const one of asked) expect((await at.browserOf("ann").open(linkIn(one))).status).toBe(200);
  expect((await at.browserOf("ann").logIn(linkIn(asked[0]))).status).toBe(200);
  for (const one of asked) expect((await at.browserOf("ann").open(linkIn(one))).status).toBe(410);
});

test("a link begins a limited number of log-ins", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const browser = at.browserOf("ann");
  const statuses = new Map<number, number>();
  for (let count = 0; count < 25; count++) {
    const { status } = await browser.logIn(url, "https://auth.example.com/authorize");
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [200, 20],
    [410, 5],
  ]);
  expect(browser.cookies.size).toBeLessThanOrEqual(10);
});

test.each([
  ["", 410],
  ["?ticket=", 410],
  ["?ticket=v1.local.AAAA", 410],
  [`?ticket=${"x".repeat(20_000)}`, 410],
  ["/signed-in", 403],
  ["/signed-in?state=a&state=b&code=c", 403],
  ["/callback?state=abcdefghijklmnop&code=c", 403],
  ["/other", 404],
  ["/callback/", 404],
])("%s answers with %i", async (path, status) => {
  const at = logInPlace();
  await linkOf(at, "ann");
  const response = await at.network.fetch(new URL(`${page}${path}`), {});
  expect(response.status).toBe(status);
  expect(response.headers.get("location")).toBeNull();
});

test("a link that was changed is refused", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const at30 = url.length - 30;
  const changed = url.slice(0, at30) + (url[at30] === "A" ? "B" : "A") + url.slice(at30 + 1);
  expect((await at.browserOf("ann").open(changed)).status).toBe(410);
});

test("programs that look at a link do not use it, and other sites cannot press its button", async () => {
  const at = logInPlace();
  const url = new URL(await linkOf(at, "ann"));
  for (const method of ["HEAD", "GET"]) expect((await at.network.fetch(url, { method })).status).toBe(200);
  const headers = { "sec-fetch-site": "cross-site" };
  expect((await at.network.fetch(url, { method: "POST", headers })).status).toBe(403);
  expect((await at.network.fetch(url, { method: "DELETE" })).status).toBe(405);
  expect((await at.browserOf("ann").logIn(url.href)).status).toBe(200);
});

test("pages load nothing, run nothing, and send no referrer", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann");
  const first = await at.browserOf("ann").open(url);
  const pages = [first, await at.browserOf("bo").logIn(url), await at.browserOf("ann").logIn(url)];
  for (const { headers, text } of pages) {
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'/,
    );
    const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    expect(policy).toContain(`'sha256-${Buffer.from(digest).toString("base64")}'`);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toContain("<script");
  }
});

test("a link contains nothing about the user that can be read", async () => {
  const at = logInPlace();
  const url = await linkOf(at, "ann-the-secret-user");
  const ticket = new URL(url).searchParams.get("ticket") ?? "";
  for (const part of ticket.split(".")) expect(Buffer.from(part, "base64url").toString("latin1")).not.toContain("ann");
  expect(url.startsWith(`${origin}/log-in?ticket=`)).toBe(true);
});

test("the token that proves who opened a link is revoked, and not stored", async () => {
  const values = new Map<string, string>();
  const store = {
    get: (key: string) => values.get(key),
    set: (key: string, value: string) => void values.set(key, value),
    delete: (key: string) => void values.delete(key),
  };
  const at = logInPlace({ store });
  const url = await linkOf(at, "ann");
  const before = new Set(at.own.accessTokens.keys());
  const stored = vi.spyOn(store, "set");
  await at.browserOf("ann").logIn(url);
  await expect.poll(() => [...at.own.accessTokens.keys()].every((token) => before.has(token))).toBe(true);
  const written = JSON.stringify([...stored.mock.calls]);
  expect(at.own.retired.size).toBeGreaterThan(0);
  for (const token of at.own.retired.keys()) expect(written).not.toContain(token);
  // The test sees what it looks for.
  for (const token of at.login.accessTokens.keys()) expect(written).toContain(token);
});
