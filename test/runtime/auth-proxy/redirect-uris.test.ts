/** Redirect URIs are compared exactly, apart from the port of loopback hosts. */
import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { redirectUriProblem } from "../../../runtime/src/auth-proxy/clients/redirect-uris.js";
import { authorizationUrl, nativeClient, register } from "./log-in.js";
import { startProxy, TestBrowser } from "./started-proxy.js";

const registered = [
  "https://client.example/call%2Fback?a=1",
  "http://127.0.0.1:9/callback",
  "http://localhost/x",
  "http://[::1]:9/x",
];

describe("of a client that registered some", () => {
  test.each([
    ...registered,
    "http://127.0.0.1:1234/callback",
    "http://127.0.0.1/callback",
    "http://localhost:4321/x",
    "http://[::1]:1/x",
  ])("%s is accepted", async (redirect_uri) => {
    const started = await startProxy();
    const client = await register(started.issuer, { ...nativeClient, redirect_uris: registered });
    const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), { redirect_uri });
    const { location } = await new TestBrowser().visit(url);
    expect(location?.href.startsWith(redirect_uri)).toBe(true);
    expect(location?.searchParams.get("code")).toHaveLength(43);
  });

  test.each([
    ["https://client.example/call%2fback?a=1", "the case of an escape"],
    ["https://client.example/Call%2Fback?a=1", "the case of the path"],
    ["https://CLIENT.example/call%2Fback?a=1", "the case of the host"],
    ["HTTPS://client.example/call%2Fback?a=1", "the case of the scheme"],
    ["https://client.example/call/back?a=1", "the encoding"],
    ["https://client.example/call%2Fback", "the query"],
    ["https://client.example/call%2Fback?a=1&b=2", "another parameter"],
    ["https://client.example/call%2Fback/?a=1", "a slash"],
    ["https://client.example:443/call%2Fback?a=1", "a port"],
    ["https://client.example:8443/call%2Fback?a=1", "another port"],
    ["https://client.example./call%2Fback?a=1", "a dot after the host"],
    ["https://client.example/x/../call%2Fback?a=1", "dot segments"],
    ["https://user@client.example/call%2Fback?a=1", "a user"],
    ["https://client.example@evil.example/call%2Fback?a=1", "the host in the user"],
    ["https://client.example/call%2Fback?a=1#x", "a fragment"],
    ["https://client.example.evil.example/call%2Fback?a=1", "a longer host"],
    ["https://evil.example/call%2Fback?a=1", "another host"],
    ["http://client.example/call%2Fback?a=1", "another scheme"],
    ["http://127.0.0.1:9/callback/", "a slash on loopback"],
    ["http://127.0.0.1:9/Callback", "the case of the path on loopback"],
    ["http://127.0.0.1:9/callback?x=1", "a query on loopback"],
    ["http://user@127.0.0.1:9/callback", "a user on loopback"],
    ["http://127.0.0.1:9@evil.example/callback", "loopback as the user"],
    ["http://localhost:9/callback", "another loopback host"],
    ["http://127.0.0.2:9/callback", "another loopback address"],
    ["http://127.1:9/callback", "a short spelling of the address"],
    ["http://2130706433:9/callback", "a number as the address"],
    ["http://127.0.0.1:99999/callback", "an impossible port"],
    ["http://127.0.0.1:9/callback\\@evil.example", "a backslash"],
    ["//127.0.0.1:9/callback", "no scheme"],
    ["javascript:alert(1)", "a script"],
    ["", "nothing"],
  ])("%s is refused: it differs by %s", async (redirect_uri) => {
    const started = await startProxy();
    const client = await register(started.issuer, { ...nativeClient, redirect_uris: registered });
    const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), { redirect_uri });
    const { location, page } = await new TestBrowser().visit(url);
    expect(location).toBeUndefined();
    expect([page?.status, page?.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect(page?.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await page?.text()).toMatch(/<code>invalid_(redirect_uri|request)<\/code>/);
    expect(started.seen).toEqual([]);
  });
});

test("a page of the proxy itself cannot be a redirect URI", async () => {
  const started = await startProxy({ path: "/auth" });
  const client = await register(started.issuer, { ...nativeClient, redirect_uris: ["http://127.0.0.1/auth/callback"] });
  const redirect_uri = `${started.issuer}/callback`;
  const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), { redirect_uri });
  const { page } = await new TestBrowser().visit(url);
  expect(page?.status).toBe(400);
  expect(await page?.text()).toContain("is a page of this authorization server");
});

describe("an error before the user has seen a page", () => {
  const web = "https://client.example/callback";
  const failing = { redirect_uri: web, scope: "unknown", state: "s" };

  test.each([{}, { response_type: "token" }, { prompt: "none", scope: undefined }])(
    "is not redirected to a web site that registered itself: %j",
    async (changed) => {
      const started = await startProxy();
      const client = await register(started.issuer, { ...nativeClient, redirect_uris: [web] });
      const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), {
        ...failing,
        ...changed,
      });
      const { location, page } = await new TestBrowser().visit(url);
      expect(location).toBeUndefined();
      expect(page?.status).toBe(400);
      expect(page?.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(await page?.text()).toMatch(/<code>(invalid_scope|unsupported_response_type|consent_required)<.code>/);
    },
  );

  test("is redirected to a client that is known in advance", async () => {
    const started = await startProxy({ clients: [{ clientId: "web", redirectUris: [web] }] });
    const url = await authorizationUrl(started, { client_id: "web" }, oauth.generateRandomCodeVerifier(), failing);
    expect((await new TestBrowser().visit(url)).location?.searchParams.get("error")).toBe("invalid_scope");
  });

  test("is redirected after the user has seen the page", async () => {
    const started = await startProxy({ decide: () => "refuse" });
    const client = await register(started.issuer, { ...nativeClient, redirect_uris: [web] });
    const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), { redirect_uri: web });
    expect((await new TestBrowser().visit(url)).location?.searchParams.get("error")).toBe("access_denied");
  });
});

test("a client with one redirect URI may leave it out of the request", async () => {
  const started = await startProxy();
  const client = await register(started.issuer);
  const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), { redirect_uri: undefined });
  expect((await new TestBrowser().visit(url)).location?.searchParams.get("code")).toHaveLength(43);
});

describe("at registration", () => {
  const rules = { schemes: ["com.example.app"], issuerUrl: new URL("https://mcp.example/auth"), basePath: "/auth" };

  test.each([
    "https://client.example/callback",
    "https://client.example:8443/a?b=c",
    "https://localhost:3000/callback",
    "http://localhost:1/",
    "http://127.0.0.1/callback",
    "http://[::1]/callback",
    "com.example.app:/callback",
    "com.example.app://callback/path",
  ])("%s is accepted", (uri) => {
    expect(redirectUriProblem(uri, rules)).toBeUndefined();
  });

  test.each(["", "/auth"])("a page of the proxy itself, below %j, is refused", async (path) => {
    const started = await startProxy({ path });
    for (const page of ["/callback", "/callback?a=b", "/authorize", "/consent/x", "/%2e/callback"])
      await expect(
        register(started.issuer, { ...nativeClient, redirect_uris: [`${started.issuer}${page}`] }),
      ).rejects.toMatchObject({
        cause: { error: "invalid_redirect_uri", error_description: expect.stringContaining("page of this") as string },
      });
    await register(started.issuer, { ...nativeClient, redirect_uris: [`${started.issuer}/callbacks`] });
  });

  test.each<[unknown, string]>([
    ["http://client.example/callback", "http must have the host localhost"],
    ["http://127.0.0.2/callback", "http must have the host localhost"],
    ["http://localhost.evil.example/callback", "http must have the host localhost"],
    ["https://client.example/#", "a fragment"],
    ["https://mcp.example/auth/callback", "must not be a page"],
    ["HTTPS://MCP.example:443/auth/x/../callback?a=b", "must not be a page"],
    ["https://user@client.example/", "names its host, and no user"],
    ["https://user:secret@client.example/", "names its host, and no user"],
    ["https:client.example/", "names its host, and no user"],
    ["https:///client.example/", "names its host, and no user"],
    ["https://*.example/callback", "a wildcard"],
    ["https://client.example/*", "a wildcard"],
    ["https://client.example\\@evil.example/", "backslashes"],
    ["https://client.example/a b", "spaces"],
    ["https://client.example/\n", "spaces"],
    ["https://münchen.example/", "characters that URLs do not have"],
    ["javascript:alert(1)", "the scheme javascript is not accepted"],
    ["JavaScript:alert(1)", "the scheme javascript is not accepted"],
    ["data:text/html,x", "the scheme data is not accepted"],
    ["com.other.app:/callback", "the scheme com.other.app is not accepted"],
    ["/callback", "an absolute URL"],
    ["https://", "an absolute URL"],
    [`https://client.example/${"x".repeat(2_000)}`, "longer than 2,000"],
    ["", "a string"],
    [7, "a string"],
    [null, "a string"],
  ])("%j is refused", (uri, problem) => {
    expect(redirectUriProblem(uri, rules)).toContain(problem.replace("names", "name"));
  });
});
