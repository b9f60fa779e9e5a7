/** The option `authorization`: which requests it decides about, in which order, and what their responses contain. */
import { describe, expect, test } from "vitest";
import { type AuthorizationPolicy, authorizeHttp } from "../../../runtime/src/auth-server.js";
import type { HttpAuthorization, McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { bearer, FakeAuthorization } from "./fake-authorization.js";
import { hosts, type Sent } from "./hosts.js";
import { BOTH, call, initialize, type Message, modern, notification, plain, R4, request } from "./messages.js";
import { ada, Subject } from "./subject.js";

const document = "/.well-known/oauth-protected-resource/mcp";

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(authorization: HttpAuthorization = new FakeAuthorization(), options: McpHandlerOptions = {}) {
    const subject = new Subject();
    return { subject, at: await host(subject.server, { authorization, ...options }) };
  }
  const authorized = (sent: Sent, token = bearer("ada")): Sent => ({
    ...sent,
    headers: { ...sent.headers, authorization: token },
  });

  test("serves a request with a token, to the principal of the token", async () => {
    const { at } = await start();
    const answer = await at.send(authorized(call(1, "facts")));
    const { result } = (await answer.json()) as Message;
    expect(JSON.stringify(result)).toContain(String.raw`\"subject\":\"ada\"`);
    expect([answer.status, answer.header("dpop-nonce")]).toEqual([200, "next"]);
  });

  test.each<[string, Sent]>([
    ["a call", call(1, "echo", { text: "x" })],
    ["a notification", plain(notification("notifications/initialized"))],
    ["initialize", plain(initialize(R4))],
    ["a stream", { method: "GET", headers: { accept: BOTH } }],
    ["the end of a session", { method: "DELETE", headers: { "mcp-session-id": "x" } }],
    ["a body that is not JSON", { headers: { "content-type": "text/plain", accept: BOTH }, body: "?" }],
    ["a method that it does not serve", { method: "PUT", headers: {} }],
  ])("refuses %s without a token, before its content", async (_name, sent) => {
    const { at, subject } = await start();
    const answer = await at.send(sent);
    const { error } = (await answer.json()) as Message;
    expect([answer.status, answer.header("www-authenticate"), error?.message]).toEqual([
      401,
      "Bearer",
      "a token is missing",
    ]);
    expect([subject.entered, subject.reports]).toEqual([[], []]);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ["host", { host: "evil.example" }, 403],
    ["origin", { origin: "https://evil.example" }, 403],
  ])("checks the %s before the token", async (_name, headers, status) => {
    const authorization = new FakeAuthorization();
    const { at } = await start(authorization);
    const sent = authorized(call(1, "echo", { text: "x" }));
    const answer = await at.send({ ...sent, headers: { ...sent.headers, ...headers } });
    expect([answer.status, authorization.authenticated]).toEqual([status, 0]);
  });

  test("answers a CORS preflight without a token", async () => {
    const { at } = await start(undefined, { allowedOrigins: ["https://page.example"] });
    const headers = { origin: "https://page.example", "access-control-request-headers": "authorization, dpop" };
    const answer = await at.send({ method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.header("access-control-allow-headers")).toMatch(/authorization, dpop/);
  });

  test("lets pages of allowed origins read refusals", async () => {
    const { at } = await start(undefined, { allowedOrigins: ["https://page.example"] });
    const sent = call(1, "echo", { text: "x" });
    const answer = await at.send({ ...sent, headers: { ...sent.headers, origin: "https://page.example" } });
    expect([answer.status, answer.header("access-control-allow-origin")]).toEqual([401, "https://page.example"]);
    expect(answer.header("access-control-expose-headers")).toMatch(/www-authenticate, dpop-nonce/);
  });

  test.each<[string, Sent, number, string]>([
    ["GET", {}, 200, JSON.stringify({ path: document })],
    ["GET with a query", { path: `${document}?a=b` }, 200, JSON.stringify({ path: document })],
    ["HEAD", { method: "HEAD" }, 200, ""],
    ["OPTIONS", { method: "OPTIONS" }, 204, ""],
    ["a page of any origin", { headers: { origin: "https://other.example" } }, 200, JSON.stringify({ path: document })],
    ["POST", { method: "POST", body: {} }, 405, "Method Not Allowed"],
    ["DELETE", { method: "DELETE" }, 405, "Method Not Allowed"],
    ["another host", { headers: { host: "evil.example" } }, 403, "Forbidden"],
  ])("a public document, %s: the response needs no token", async (_name, sent, status, body) => {
    const { at } = await start();
    const answer = await at.send({ method: "GET", path: document, ...sent });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(body);
    if (status !== 403)
      expect([answer.header("access-control-allow-origin"), answer.header("allow")]).toEqual([
        "*",
        "GET, HEAD, OPTIONS",
      ]);
  });

  test("waits for an authorization that takes time, before the body is handled", async () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { at, subject } = await start(new FakeAuthorization({ before: () => released }));
    const pending = at.send(authorized(call(1, "hold", { key: "a" })));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(subject.entered).toEqual([]);
    release?.();
    await expect.poll(() => subject.holds("a")).toBe(true);
    subject.release("a");
    expect((await pending).status).toBe(200);
  });

  test.each<[string, Partial<AuthorizationPolicy>]>([
    ["authenticate throws", { authenticate: () => fail() }],
    ["authenticate rejects", { authenticate: () => Promise.reject(new Error("it failed")) }],
    ["authenticate returns nothing", { authenticate: () => undefined as never }],
    ["the principal is invalid", { authenticate: () => ({ principal: { issuer: "", subject: "x" } }) }],
    ["the principal is invalid, later", { authenticate: () => Promise.resolve({ principal: {} as never }) }],
    ["authorize throws", { authorize: () => fail() }],
  ])("responds with 500 and reports it when %s", async (_name, wrong) => {
    const fake = new FakeAuthorization();
    const policy: AuthorizationPolicy = {
      publicPaths: [],
      publicDocument: () => fail(),
      authenticate: (sent) => fake.authenticate(sent),
      authorize: () => undefined,
      ...wrong,
    };
    const { at, subject } = await start(authorizeHttp(policy));
    const answer = await at.send(authorized(call(1, "echo", { text: "x" })));
    const { error } = (await answer.json()) as Message;
    expect([answer.status, error?.message, subject.reports.length]).toEqual([500, "Internal error", 1]);
  });

  test("refuses a principal of the host, because the authorization authenticates", async () => {
    const { at, subject } = await start();
    const answer = await at.send({ ...authorized(call(1, "echo", { text: "x" })), principal: ada });
    expect([answer.status, subject.reports[0]?.message]).toEqual([
      500,
      "pass either a principal or the option authorization, not both",
    ]);
  });

  test("asks once per HTTP request whether it is authorized, also without requests in it", async () => {
    const authorization = new FakeAuthorization();
    const { at } = await start(authorization);
    const opening = await at.send(authorized(plain(initialize(R4))));
    const headers = { "mcp-session-id": opening.header("mcp-session-id") };
    await at.send(authorized(plain(notification("notifications/initialized"), { headers })));
    await at.send(authorized(plain(request(1, "ping"), { headers })));
    const stream = await at.send(authorized({ method: "GET", headers: { accept: BOTH, ...headers } }));
    await at.send(authorized({ method: "DELETE", headers }));
    await stream.text();
    await at.send(authorized(modern(1, "tools/list")));
    expect(authorization.asked.map(([methods]) => methods)).toEqual(["initialize", "", "ping", "", "", "tools/list"]);
    expect(stream.header("dpop-nonce")).toBe("next");
  });
});

function fail(): never {
  throw new Error("it failed");
}
