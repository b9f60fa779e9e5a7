import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  introspectionVerifier,
  type IntrospectionVerifierOptions,
} from "../../../../runtime/src/auth-server/verifiers/introspection-verifier.js";
import { issuerKey, resource, seconds } from "./fake-issuer.js";
import { failureOf, outcomeOf } from "./outcome.js";

const issuer = "https://auth.example.com";
const metadataUrl = `${issuer}/.well-known/oauth-authorization-server`;
const endpoint = `${issuer}/introspect`;
const token = "secret-opaque-token";
const secret = "secret-of-the-server";

interface Asked {
  readonly url: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

let asked: Asked[];
let metadata: object;
let reply: () => Response | Promise<Response>;

const active = (members: object = {}): object => ({
  active: true,
  iss: issuer,
  aud: resource,
  sub: "user-1",
  client_id: "client-1",
  scope: "files:read",
  token_type: "Bearer",
  exp: seconds() + 300,
  ...members,
});

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  metadata = { issuer, introspection_endpoint: endpoint };
  reply = () => Response.json(active());
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

async function respond(url: URL, init: RequestInit): Promise<Response> {
  const { headers, body } = init;
  asked.push({ url: url.href, headers: new Headers(headers), form: new URLSearchParams((body ?? "") as string) });
  expect(init.redirect).toBe("manual");
  await Promise.resolve();
  if (url.href === endpoint) return reply();
  return url.href === metadataUrl ? Response.json(metadata) : new Response(null, { status: 404 });
}

const verifierOf = (
  options: Partial<IntrospectionVerifierOptions> = { clientSecret: secret },
): ReturnType<typeof introspectionVerifier> =>
  introspectionVerifier({ issuer, clientId: "mcp-server", fetch: respond, ...options });

describe("an active token", () => {
  test("becomes its facts; null counts as missing", async () => {
    reply = () => Response.json(active({ nbf: null, cnf: null, username: "u" }));
    const facts = await verifierOf().verifyAccessToken(token, { resource });
    expect(facts).toEqual({
      issuer,
      subject: "user-1",
      clientId: "client-1",
      scopes: ["files:read"],
      expiresAt: seconds() + 300,
      audience: [resource],
      keyThumbprint: undefined,
      claims: active({ username: "u" }),
    });
  });

  test("is kept for 10 seconds by default", () => {
    expect(verifierOf().cacheMs).toBe(10_000);
    expect(verifierOf({ clientSecret: secret, cacheMs: 0 }).cacheMs).toBe(0);
  });

  test("may be bound to a key", async () => {
    const jkt = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
    reply = () => Response.json(active({ token_type: "DPoP", cnf: { jkt } }));
    expect(await verifierOf().verifyAccessToken(token, { resource })).toMatchObject({ keyThumbprint: jkt });
  });

  test("has the claims of a schema", async () => {
    const claims = {
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: (value: unknown) => ({ value: { user: String((value as { readonly sub: unknown }).sub) } }),
      },
    };
    const verifier = introspectionVerifier({ issuer, clientId: "a", clientSecret: secret, fetch: respond, claims });
    const facts = await verifier.verifyAccessToken(token, { resource });
    expect(facts.claims.user).toBe("user-1");
  });
});

describe("the request", () => {
  test("authenticates this server with HTTP Basic, and finds the endpoint once", async () => {
    const verifier = verifierOf();
    await Promise.all([outcomeOf(verifier, token), outcomeOf(verifier, token)]);
    expect(asked.map(({ url }) => url)).toEqual([metadataUrl, endpoint, endpoint]);
    const [, { headers, form } = { headers: new Headers(), form: new URLSearchParams() }] = asked;
    expect(headers.get("authorization")).toBe(`Basic ${btoa(`mcp-server:${secret}`)}`);
    expect(Object.fromEntries(form)).toEqual({ token, token_type_hint: "access_token" });
  });

  test("authenticates with the secret in the form when the metadata lists only that", async () => {
    metadata = { ...metadata, introspection_endpoint_auth_methods_supported: ["client_secret_post"] };
    expect(await outcomeOf(verifierOf({ clientSecret: () => Promise.resolve(secret) }), token)).toBe("valid");
    expect(asked[1]?.form.get("client_secret")).toBe(secret);
    expect(asked[1]?.headers.has("authorization")).toBe(false);
  });

  test("authenticates with an assertion of a key", async () => {
    const { privateKey } = await issuerKey("client");
    expect(await outcomeOf(verifierOf({ privateKey }), token)).toBe("valid");
    const assertion = asked[1]?.form.get("client_assertion") ?? "";
    expect(JSON.parse(atob(assertion.split(".")[1] ?? ""))).toMatchObject({ iss: "mcp-server", aud: issuer });
  });

  test("goes to the endpoint of the options without metadata", async () => {
    expect(await outcomeOf(verifierOf({ clientSecret: secret, endpoint }), token)).toBe("valid");
    expect(asked.map(({ url }) => url)).toEqual([endpoint]);
  });

  test.each(["", "two words", "line\nend", "a,b", "ä", "a".repeat(20_000), '"', "=="])(
    "is not sent for %j, which is not a token",
    async (text) => {
      expect(await outcomeOf(verifierOf(), text)).toBe("malformed");
      expect(asked).toEqual([]);
    },
  );
});

describe("a token is rejected", () => {
  const jkt = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
  test.each<[string, string, object]>([
    ["that is not active", "inactive", { active: false }],
    ["of another issuer", "issuer", { iss: `${issuer}/` }],
    ["without audience", "claims", { aud: undefined }],
    ["of another resource", "audience", { aud: "https://other.example.com" }],
    ["without an end", "claims", { exp: undefined }],
    ["that has expired", "expired", { exp: seconds() - 60 }],
    ["that is not valid yet", "not-yet-valid", { nbf: seconds() + 60 }],
    ["without subject and client", "claims", { sub: undefined, client_id: undefined }],
    ["that is a refresh token", "malformed", { token_type: "Refresh" }],
    ["that is a refresh token of Hydra", "malformed", { token_use: "refresh_token" }],
    ["that is an ID token", "malformed", { typ: "ID" }],
    ["that is bound to a certificate", "proof", { cnf: { "x5t#S256": jkt } }],
    ["that is bound to a key without name", "claims", { token_type: "DPoP" }],
    ["with an invalid scope", "claims", { scope: 1 }],
  ])("%s: %s", async (_name, outcome, members) => {
    reply = () => Response.json(active(members));
    expect(await outcomeOf(verifierOf(), token)).toBe(outcome);
  });
});

test("a token is rejected that is of a kind about which the authorization server does not respond", async () => {
  reply = () => Response.json({ error: "unsupported_token_type" }, { status: 400 });
  expect(await outcomeOf(verifierOf(), token)).toBe("inactive");
});

describe("the authorization server", () => {
  const echo = (): Response => Response.json({ error: `bad ${token}`, error_description: secret }, { status: 400 });
  test.each<[string, () => Response | Promise<Response>, RegExp]>([
    ["rejects this server", () => Response.json({ error: "invalid_client" }, { status: 401 }), /401, invalid_client/],
    ["repeats the token", echo, /status 400, bad \[hidden\]/],
    ["fails", () => new Response("x", { status: 502 }), /status 502/],
    ["asks to wait", () => new Response(null, { status: 429 }), /status 429/],
    ["redirects", () => Response.redirect("https://evil.example/", 307), /redirects/],
    ["sends a page", () => new Response("<html>"), /no JSON object/],
    ["sends no active", () => Response.json({ sub: "user-1" }), /no JSON object with true or false for active/],
    ["sends active as text", () => Response.json(active({ active: "true" })), /true or false/],
    ["sends active as 1", () => Response.json(active({ active: 1 })), /true or false/],
    ["sends a list", () => Response.json([active()]), /no JSON object/],
    ["sends an empty response", () => new Response(""), /no JSON object/],
    ["sends deep JSON", () => new Response(`{"active":true,"a":${"[".repeat(90)}${"]".repeat(90)}}`), /no JSON object/],
    [
      "signs the response",
      () => new Response("ey", { headers: { "content-type": "application/token-introspection+jwt" } }),
      /signed response/,
    ],
    ["sends too much", () => new Response(" ".repeat(300_000)), /more than 262144 bytes/],
    [
      "is down",
      () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
      /ECONNREFUSED/,
    ],
  ])("%s: unavailable", async (_name, response, message) => {
    reply = response;
    expect(await failureOf(verifierOf(), token)).toEqual({
      outcome: "unavailable",
      message: expect.stringMatching(message) as string,
    });
    reply = () => Response.json(active());
    expect(await outcomeOf(verifierOf(), token)).toBe("valid");
  });

  test("that fails for many tokens is reported once per second", async () => {
    reply = () => new Response(null, { status: 500 });
    const verifier = verifierOf();
    const errors = new Set<unknown>();
    for (let count = 0; count < 100; count++) {
      await Promise.resolve(verifier.verifyAccessToken(`token-${count}`, { resource })).catch((error: unknown) =>
        errors.add(error),
      );
      vi.advanceTimersByTime(30);
    }
    expect(errors.size).toBe(3);
  });

  test("that never responds is not waited for", async () => {
    reply = () => new Promise(() => undefined);
    const waiting = failureOf(verifierOf(), token);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toMatchObject({ outcome: "unavailable" });
  });

  test("whose caller has gone is not waited for", async () => {
    reply = () => new Promise(() => undefined);
    const cancel = new AbortController();
    const waiting = verifierOf().verifyAccessToken(token, { resource, signal: cancel.signal });
    await vi.advanceTimersByTimeAsync(1);
    cancel.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
  });

  test.each<[string, object, RegExp]>([
    ["another issuer", { issuer: "https://evil.example", introspection_endpoint: endpoint }, /spelled identically/],
    ["no endpoint", { issuer }, /offers no introspection/],
    ["an endpoint over http", { issuer, introspection_endpoint: "http://auth.example.com/i" }, /must begin with https/],
    ["an endpoint on this machine", { issuer, introspection_endpoint: "http://localhost/i" }, /is on this machine/],
    [
      "other methods",
      { issuer, introspection_endpoint: endpoint, introspection_endpoint_auth_methods_supported: ["tls_client_auth"] },
      /lists only tls_client_auth/,
    ],
  ])("has metadata with %s: unavailable, and no token is sent", async (_name, document, message) => {
    metadata = document;
    expect(await failureOf(verifierOf(), token)).toEqual({
      outcome: "unavailable",
      message: expect.stringMatching(message) as string,
    });
    expect(asked.every(({ form }) => !form.has("token"))).toBe(true);
  });

  test("that comes back is asked again", async () => {
    const verifier = verifierOf();
    const found = metadata;
    metadata = {};
    expect(await outcomeOf(verifier, token)).toBe("unavailable");
    metadata = found;
    expect(await outcomeOf(verifier, token)).toBe("unavailable");
    vi.advanceTimersByTime(1_000);
    expect(await outcomeOf(verifier, token)).toBe("valid");
  });
});

test("a vault that fails is an error of the server", async () => {
  const clientSecret = (): Promise<string> => Promise.reject(new Error("the vault is sealed"));
  await expect(outcomeOf(verifierOf({ clientSecret }), token)).rejects.toThrow("the vault is sealed");
});

describe("an invalid option is refused", () => {
  const valid = { issuer, clientId: "a", clientSecret: secret };
  test.each<[string, IntrospectionVerifierOptions]>([
    ["no credentials", { issuer, clientId: "a" }],
    ["an empty secret", { ...valid, clientSecret: "" }],
    ["an empty client", { ...valid, clientId: "" }],
    ["an issuer over http", { ...valid, issuer: "http://auth.example.com" }],
    ["an endpoint over http", { ...valid, endpoint: "http://auth.example.com/introspect" }],
    ["a negative cacheMs", { ...valid, cacheMs: -1 }],
    ["a leeway of ten minutes", { ...valid, leewaySeconds: 600 }],
    ["an empty audience", { ...valid, audience: [""] }],
  ])("%s", (_name, options) =>
    expect(() => introspectionVerifier(options)).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION" })),
  );
});
