import { afterEach, describe, expect, it, vi } from "vitest";
import { ClientSecretBasic, ClientSecretPost } from "oauth4webapi";
import { AuthorizationError } from "../../../../runtime/src/auth/auth-errors.js";
import type { OAuthClient } from "../../../../runtime/src/auth/client-identity/oauth-client.js";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import { TokenEndpoint } from "../../../../runtime/src/auth/tokens/token-endpoint.js";
import { discovered, FakeEndpoint, issuer, publicClient, resource, tokenResponse } from "./fake-endpoint.js";

const never = new AbortController().signal;

function endpoint(fake: FakeEndpoint, options: OAuthOptions = {}, scopes?: readonly string[]): TokenEndpoint {
  return new TokenEndpoint(discovered(), { fetch: fake.fetch, ...options }, undefined, scopes, never);
}

async function failure(work: Promise<unknown>): Promise<AuthorizationError> {
  const error: unknown = await work.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AuthorizationError)) throw error;
  return error;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a token request", () => {
  it("has the parameters of the grant, the resource byte for byte, and the authentication of the client", async () => {
    const fake = new FakeEndpoint(tokenResponse());
    await endpoint(fake).request(publicClient, "client_credentials", { scope: "a b" });
    expect(fake.last.url).toBe(`${issuer}/token`);
    expect(fake.last.redirect).toBe("manual");
    expect(Object.fromEntries(fake.last.body)).toEqual({
      grant_type: "client_credentials",
      client_id: "app",
      resource,
      scope: "a b",
    });
    expect(fake.last.headers.get("accept")).toBe("application/json");
  });

  it("has no resource when the discovery found none", async () => {
    const fake = new FakeEndpoint(tokenResponse());
    const server = discovered({}, { resource: undefined });
    await new TokenEndpoint(server, { fetch: fake.fetch }, undefined, undefined, never).request(publicClient, "x", {});
    expect(fake.last.body.has("resource")).toBe(false);
  });

  it.each([
    ["http://as.example/token", "insecure-url"],
    ["ftp://localhost/token", "insecure-url"],
    ["http://localhost/token", "insecure-url"],
    ["not a URL", "metadata-invalid"],
    [undefined, "metadata-invalid"],
  ])("is not sent to the token endpoint %s", async (url, reason) => {
    const fake = new FakeEndpoint(tokenResponse());
    const metadata = { issuer, ...(url !== undefined && { token_endpoint: url }) };
    const server = discovered({}, { metadata });
    const tokens = new TokenEndpoint(server, { fetch: fake.fetch }, undefined, undefined, never);
    expect((await failure(tokens.request(publicClient, "x", {}))).reason).toBe(reason);
    expect(fake.requests).toEqual([]);
  });

  it.each(["http://localhost:1/token", "http://127.0.0.1/token", "http://[::1]:8/token"])(
    "is sent over http to loopback: %s",
    async (url) => {
      const fake = new FakeEndpoint(tokenResponse());
      const server = discovered({ token_endpoint: url }, { issuer: "http://localhost" });
      const tokens = new TokenEndpoint(server, { fetch: fake.fetch }, undefined, undefined, never);
      await expect(tokens.request(publicClient, "x", {})).resolves.toMatchObject({ accessToken: "at-1" });
    },
  );

  it("passes the reason of an abort on, before and during the request", async () => {
    const controller = new AbortController();
    const hanging = new FakeEndpoint(() => new Promise<Response>(() => undefined));
    const tokens = new TokenEndpoint(discovered(), { fetch: hanging.fetch }, undefined, undefined, controller.signal);
    const running = tokens.request(publicClient, "x", {});
    await vi.waitFor(() => expect(hanging.requests).toHaveLength(1));
    const reason = new Error("closed");
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(tokens.request(publicClient, "x", {})).rejects.toBe(reason);
    expect(hanging.requests).toHaveLength(1);
  });

  it("ends after `timeoutMs`, also when the `fetch` ignores its signal", async () => {
    vi.useFakeTimers();
    const fake = new FakeEndpoint(() => new Promise<Response>(() => undefined));
    const failed = failure(endpoint(fake, { timeoutMs: 5_000 }).request(publicClient, "x", {}));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toMatchObject({
      reason: "unreachable",
      message: `${issuer}/token did not respond within 5000 ms`,
    });
  });

  it("ends after `timeoutMs` when the body is slow", async () => {
    vi.useFakeTimers();
    const fake = new FakeEndpoint(
      () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) })),
    );
    const failed = failure(endpoint(fake).request(publicClient, "x", {}));
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await failed).reason).toBe("unreachable");
  });
});

describe("the tokens of a response", () => {
  it.each<[string, object, object]>([
    ["the minimum", {}, { accessToken: "at-1", scheme: "Bearer", scopes: ["asked"], issuer, clientId: "app" }],
    ["a refresh token", { refresh_token: "rt" }, { refreshToken: "rt" }],
    ["scopes", { scope: "a  b a" }, { scopes: ["a", "b"] }],
    ["an empty scope", { scope: "" }, { scopes: ["asked"] }],
    ["a token type in another case", { token_type: "bEARER" }, { scheme: "Bearer" }],
    ["null for members without a value", { refresh_token: null, expires_in: null, scope: null }, { scopes: ["asked"] }],
    ["empty strings for members without a value", { refresh_token: "", expires_in: "" }, { accessToken: "at-1" }],
    ["an ID token that is not valid", { id_token: "not.a.jwt" }, { accessToken: "at-1" }],
    ["an ID token of another type", { id_token: 5 }, { accessToken: "at-1" }],
  ])("are read from a response with %s", async (_title, members, expected) => {
    const fake = new FakeEndpoint(tokenResponse(members));
    expect(await endpoint(fake, {}, ["asked"]).request(publicClient, "x", {})).toMatchObject(expected);
  });

  it.each([
    [3600, 3_600_000],
    ["3600", 3_600_000],
    [0, 0],
    [1e300, 3e12],
  ])("expire after expires_in: %j", async (expires_in, ms) => {
    vi.useFakeTimers({ now: 1_000 });
    const fake = new FakeEndpoint(tokenResponse({ expires_in }));
    const { expiresAt } = await endpoint(fake).request(publicClient, "x", {});
    expect(expiresAt).toBe(1_000 + ms);
  });

  it("have the scopes of the parameters when the response names none", async () => {
    const fake = new FakeEndpoint(tokenResponse());
    const { scopes } = await endpoint(fake, {}, ["default"]).request(publicClient, "x", { scope: "b c" });
    expect(scopes).toEqual(["b", "c"]);
  });

  it("are read from JSON with another content type", async () => {
    const fake = new FakeEndpoint(tokenResponse({}, { headers: { "content-type": "text/plain" } }));
    await expect(endpoint(fake).request(publicClient, "x", {})).resolves.toMatchObject({ accessToken: "at-1" });
  });
});

const html = "<!doctype html><title>Log in</title>";
const json =
  (body: unknown, status = 200) =>
  (): Response =>
    Response.json(body, { status });

describe("a bad response of the token endpoint", () => {
  it.each<[string, () => Response | Promise<Response>, Partial<AuthorizationError["data"]>]>([
    [
      "HTML",
      () => new Response(html, { headers: { "content-type": "text/html" } }),
      { reason: "token-invalid", status: 200 },
    ],
    ["HTML with status 403", () => new Response(html, { status: 403 }), { reason: "token-invalid", status: 403 }],
    ["no body", () => new Response(null, { status: 204 }), { reason: "token-invalid", status: 204 }],
    ["an array", json([]), { reason: "token-invalid" }],
    ["deep JSON", () => new Response(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`), { reason: "token-invalid" }],
    ["more bytes than allowed", () => new Response("x".repeat(300_000)), { reason: "token-invalid", status: 200 }],
    ["status 201", tokenResponse({}, { status: 201 }), { reason: "token-invalid" }],
    ["a redirect", () => Response.redirect("https://evil.example/", 307), { reason: "token-invalid", status: 307 }],
    ["status 500", () => new Response("oops", { status: 500 }), { reason: "unreachable", status: 500 }],
    [
      "status 503 with an error",
      json({ error: "temporarily_unavailable" }, 503),
      { reason: "unreachable", error: "temporarily_unavailable" },
    ],
    ["status 429", json({ error: "slow_down" }, 429), { reason: "unreachable", status: 429 }],
    ["a network error", () => Promise.reject(new TypeError("fetch failed")), { reason: "unreachable" }],
    ["no access token", json({ token_type: "Bearer" }), { reason: "token-invalid" }],
    ["an empty access token", tokenResponse({ access_token: "" }), { reason: "token-invalid" }],
    ["a number as access token", tokenResponse({ access_token: 5 }), { reason: "token-invalid" }],
    [
      "an access token with a line break",
      tokenResponse({ access_token: "a\r\nx-evil: 1" }),
      { reason: "token-invalid" },
    ],
    ["an access token with a space", tokenResponse({ access_token: "a b" }), { reason: "token-invalid" }],
    ["no token type", json({ access_token: "at" }), { reason: "token-invalid" }],
    ["an unknown token type", tokenResponse({ token_type: "mac" }), { reason: "token-invalid" }],
    ["a DPoP token without a proof", tokenResponse({ token_type: "DPoP" }), { reason: "token-invalid" }],
    ["a negative lifetime", tokenResponse({ expires_in: -1 }), { reason: "token-invalid" }],
    ["a word as lifetime", tokenResponse({ expires_in: "soon" }), { reason: "token-invalid" }],
    ["an infinite lifetime", tokenResponse({ expires_in: "Infinity" }), { reason: "token-invalid" }],
    ["an object as scope", tokenResponse({ scope: ["a"] }), { reason: "token-invalid" }],
    ["a number as refresh token", tokenResponse({ refresh_token: 1 }), { reason: "token-invalid" }],
    [
      "invalid_grant",
      json({ error: "invalid_grant" }, 400),
      { reason: "token-refused", error: "invalid_grant", status: 400 },
    ],
    ["an error with status 200", json({ error: "invalid_grant" }), { reason: "token-refused", error: "invalid_grant" }],
    [
      "an error with a challenge for Basic",
      () =>
        Response.json({ error: "invalid_client" }, { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }),
      { reason: "token-refused", error: "invalid_client", status: 401 },
    ],
  ])("is reported: %s", async (_title, respond, expected) => {
    const error = await failure(endpoint(new FakeEndpoint(respond)).request(publicClient, "x", {}));
    expect(error.data).toMatchObject(expected);
    expect(error.message).toContain("as.example");
    expect(error.cause).toBeUndefined();
  });

  it("has a hint in a web page, which sends neither cookies nor a referrer", async () => {
    vi.stubGlobal("location", { origin: "https://app.example" });
    const inits: RequestInit[] = [];
    const send = (_url: URL, init: RequestInit): Promise<Response> => {
      inits.push(init);
      return Promise.reject(new TypeError("Failed to fetch"));
    };
    const tokens = new TokenEndpoint(discovered(), { fetch: send }, undefined, undefined, never);
    expect((await failure(tokens.request(publicClient, "x", {}))).message).toContain("CORS");
    expect(inits).toMatchObject([{ credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" }]);
  });

  it("is bounded after decompression", async () => {
    const bomb = new Response("x".repeat(5_000_000)).body?.pipeThrough(new CompressionStream("gzip"));
    const unpacked = bomb?.pipeThrough(new DecompressionStream("gzip"));
    const headers = { "content-encoding": "gzip", "content-length": "5000" };
    const fake = new FakeEndpoint(() => new Response(unpacked ?? null, { headers }));
    const error = await failure(endpoint(fake, { maxDocumentBytes: 10_000 }).request(publicClient, "x", {}));
    expect(error.message).toContain("more than 10000 bytes");
  });
});

describe("a secret that the server repeats", () => {
  const secret = "s3cr:t/p+ss wörd%~";
  const assertion = `eyJhbGciOiJFUzI1NiJ9.${"a".repeat(40)}.${"b".repeat(40)}`;
  const client = (authentication: OAuthClient["authentication"]): OAuthClient => ({ ...publicClient, authentication });

  it.each<[string, OAuthClient, string]>([
    ["as it is", client(ClientSecretPost(secret)), secret],
    ["of Basic authentication", client(ClientSecretBasic(secret)), secret],
    [
      "in the encoding of a form",
      client(ClientSecretBasic(secret)),
      new URLSearchParams({ x: secret }).toString().slice(2),
    ],
    ["in base 64", client(ClientSecretBasic("password-1")), btoa("app:password%2D1")],
    ["an assertion", publicClient, assertion],
    ["the start of an assertion", publicClient, assertion.slice(0, 30)],
    ["a code", publicClient, "code-0123456789"],
    ["another JWT", publicClient, `eyJ0eXAiOiJKV1QifQ.${"c".repeat(30)}.${"d".repeat(30)}`],
  ])("is not shown: %s", async (_title, authenticated, leak) => {
    for (const member of ["error_description", "error"]) {
      const body = { error: "invalid_grant", [member]: `it is ${leak}!` };
      const fake = new FakeEndpoint(json(body, 400));
      const parameters = { assertion, code: "code-0123456789" };
      const error = await failure(endpoint(fake).request(authenticated, "x", parameters));
      const shown = JSON.stringify([error.message, error.data, error.stack, String(error.cause)]);
      expect(shown).not.toContain(leak);
      expect(shown).toContain("[hidden]");
    }
  });

  it("does not change the error code, even when it is a part of the code", async () => {
    const fake = new FakeEndpoint(json({ error: "invalid_grant" }, 400));
    const error = await failure(endpoint(fake).request(publicClient, "x", { code: "a", other: "invalid_grant!" }));
    expect(error.data).toMatchObject({ error: "invalid_grant" });
  });

  it("is not shown when the `fetch` of the user fails with it", async () => {
    const fake = new FakeEndpoint(() => Promise.reject(new Error("failed to send code-0123456789")));
    const error = await failure(endpoint(fake).request(publicClient, "x", { code: "code-0123456789" }));
    expect(error.message).toBe(`${issuer}/token cannot be reached: Error: failed to send [hidden]`);
  });

  it("is not shown in a long text of many lines, which becomes a short line", async () => {
    const error_description = `a\u0000b\r\nc\u202ed\u2028${"x ".repeat(5_000)}`;
    const error = await failure(
      endpoint(new FakeEndpoint(json({ error: "e", error_description }, 400))).request(publicClient, "x", {}),
    );
    expect(error.data.errorDescription).toMatch(/^a b c d (x )+x?…$/);
    expect(error.message.length).toBeLessThan(500);
  });
});

describe("revocation", () => {
  it("sends the token with its kind", async () => {
    const fake = new FakeEndpoint(() => new Response("anything"));
    expect(await endpoint(fake).revoke(publicClient, "rt-1", "refresh_token")).toBe(true);
    expect(fake.last.url).toBe(`${issuer}/revoke`);
    expect(Object.fromEntries(fake.last.body)).toEqual({
      token: "rt-1",
      token_type_hint: "refresh_token",
      client_id: "app",
    });
  });

  it("is not possible where the server does not offer it", async () => {
    const fake = new FakeEndpoint(() => new Response());
    const { revocation_endpoint: _, ...metadata } = discovered().metadata;
    const server = discovered({}, { metadata });
    const tokens = new TokenEndpoint(server, { fetch: fake.fetch }, undefined, undefined, never);
    expect(await tokens.revoke(publicClient, "rt-1", "refresh_token")).toBe(false);
    expect(fake.requests).toEqual([]);
  });

  it.each<[string, () => Response, Partial<AuthorizationError["data"]>]>([
    [
      "an error",
      json({ error: "unsupported_token_type" }, 400),
      { reason: "token-refused", error: "unsupported_token_type" },
    ],
    ["HTML", () => new Response(html, { status: 404 }), { reason: "token-invalid", status: 404 }],
    ["status 503", () => new Response(null, { status: 503 }), { reason: "unreachable", status: 503 }],
  ])("reports %s", async (_title, respond, expected) => {
    const error = await failure(endpoint(new FakeEndpoint(respond)).revoke(publicClient, "rt-1", "access_token"));
    expect(error.data).toMatchObject(expected);
  });
});
