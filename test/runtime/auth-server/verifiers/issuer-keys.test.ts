import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { InvalidTokenError } from "../../../../runtime/src/auth-server/token-errors.js";
import type { OAuthTokenVerifier } from "../../../../runtime/src/auth-server/token-verifier.js";
import { jwtVerifier, type JwtVerifierOptions } from "../../../../runtime/src/auth-server/verifiers/jwt-verifier.js";
import { FakeIssuer, issuerKey, resource } from "./fake-issuer.js";
import { failureOf, outcomeOf } from "./outcome.js";

let issuer: FakeIssuer;
let errors: string[];
let verifier: OAuthTokenVerifier;

function verifierOf(options: Partial<JwtVerifierOptions> = {}): OAuthTokenVerifier {
  return jwtVerifier({
    issuer: issuer.issuer,
    fetch: issuer.fetch,
    onerror: ({ message }) => errors.push(message),
    ...options,
  });
}

beforeEach(async () => {
  vi.useFakeTimers();
  issuer = await FakeIssuer.create();
  errors = [];
  verifier = verifierOf();
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** Time passes; tokens that are made later are valid then. */
function pass(ms: number): void {
  vi.advanceTimersByTime(ms);
}

const unknown = async (kid: string): Promise<string> =>
  issuer.token({ key: { ...(await issuerKey("foreign")), jwk: { kid } } });

describe("the keys of an issuer", () => {
  test("are not requested before the first token", () => expect(issuer.requests).toEqual([]));

  test("are requested once for many tokens at once", async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, id) => issuer.token({ claims: { jti: `${id}` } })));
    expect(await Promise.all(tokens.map((token) => outcomeOf(verifier, token)))).toEqual(tokens.map(() => "valid"));
    expect(issuer.requests).toEqual([
      "https://auth.example.com/.well-known/oauth-authorization-server",
      "https://auth.example.com/jwks",
    ]);
  });

  test("are not requested for tokens that cannot be valid", async () => {
    for (const claims of [{ iss: "https://evil.example" }, { exp: 1 }, { aud: "https://evil.example" }])
      await outcomeOf(verifier, await issuer.token({ claims }));
    await outcomeOf(verifier, "opaque");
    expect(issuer.requests).toEqual([]);
  });

  test("are requested again when they are old", async () => {
    await outcomeOf(verifier, await issuer.token());
    pass(599_999);
    await outcomeOf(verifier, await issuer.token());
    expect(issuer.keyRequests).toBe(1);
    pass(1);
    // A removed key is not accepted any more, not even once.
    const [old] = issuer.keys;
    issuer.keys = [await issuerKey("second")];
    expect(await outcomeOf(verifier, await issuer.token({ key: old }))).toBe("unknown-key");
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
    expect(issuer.keyRequests).toBe(2);
  });

  test("are found after a rotation", async () => {
    await outcomeOf(verifier, await issuer.token());
    pass(30_000);
    issuer.keys = [await issuerKey("second"), ...issuer.keys];
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
    expect(issuer.keyRequests).toBe(2);
  });

  test("are requested once per cool-down, however many tokens have an unknown kid", async () => {
    await outcomeOf(verifier, await issuer.token());
    for (let id = 0; id < 300; id++) {
      pass(1_000);
      const outcomes = [unknown(`unknown-${id}`), unknown(`other-${id}`), issuer.token()];
      expect(await Promise.all(outcomes.map(async (token) => outcomeOf(verifier, await token)))).toEqual([
        "unknown-key",
        "unknown-key",
        "valid",
      ]);
    }
    // 300 seconds have ten cool-downs.
    expect(issuer.keyRequests).toBe(1 + 10);
  });

  test("are not requested for a key that does not fit the algorithm", async () => {
    await outcomeOf(verifier, await issuer.token());
    pass(60_000);
    const token = await issuer.token({ key: { ...(await issuerKey("e", "EdDSA")), jwk: { kid: "first" } } });
    expect(await outcomeOf(verifier, token)).toBe("algorithm");
    expect(issuer.keyRequests).toBe(1);
  });

  test("move with the metadata", async () => {
    await outcomeOf(verifier, await issuer.token());
    const { issuer: name } = issuer;
    issuer.replies.set("/jwks", () => new Response(null, { status: 404 }));
    issuer.replies.set("/.well-known/oauth-authorization-server", () =>
      Response.json({ issuer: name, jwks_uri: `${name}/new-keys` }),
    );
    issuer.keys = [await issuerKey("second")];
    issuer.replies.set("/new-keys", () => Response.json({ keys: issuer.keys.map(({ jwk }) => jwk) }));
    pass(30_000);
    expect(await outcomeOf(verifier, await issuer.token())).toBe("unavailable");
    pass(30_000);
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
  });

  test("of one issuer do not verify tokens of another", async () => {
    const other = await FakeIssuer.create("https://other.example.com/tenant");
    other.keys = [await issuerKey("other")];
    const fetch: typeof issuer.fetch = (url, init) =>
      (url.host === "other.example.com" ? other : issuer).fetch(url, init);
    verifier = verifierOf({ issuer: [issuer.issuer, other.issuer], fetch });
    expect(verifier.issuers).toEqual([issuer.issuer, other.issuer]);
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
    expect(await outcomeOf(verifier, await other.token())).toBe("valid");
    const forged = await other.token({ claims: { iss: issuer.issuer } });
    expect(await outcomeOf(verifier, forged)).toBe("unknown-key");
    expect(await outcomeOf(verifier, await issuer.token({ claims: { iss: other.issuer } }))).toBe("unknown-key");
  });

  test("can be at a URL of the options, without metadata", async () => {
    verifier = verifierOf({ jwks: "https://auth.example.com/jwks" });
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
    expect(issuer.requests).toEqual(["https://auth.example.com/jwks"]);
  });
});

describe("an issuer that is down", () => {
  test("at the start is asked again after growing pauses, and tokens are accepted when it is back", async () => {
    issuer.isDown = true;
    const askedAt: number[] = [];
    for (let second = 0; second <= 100; second++) {
      const before = issuer.requests.length;
      const outcomes = [issuer.token(), issuer.token()].map(async (token) => outcomeOf(verifier, await token));
      expect(await Promise.all(outcomes)).toEqual(["unavailable", "unavailable"]);
      if (issuer.requests.length > before) askedAt.push(second);
      pass(1_000);
    }
    expect(askedAt).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
    // The calls have failed with the reason.
    expect(errors).toEqual([]);
    expect((await failureOf(verifier, await issuer.token())).message).toBe(
      "The metadata of the issuer https://auth.example.com cannot be requested now: GET https://auth.example.com/.well-known/oauth-authorization-server: connect ECONNREFUSED",
    );
    issuer.isDown = false;
    pass(30_000);
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
  });

  test("later goes on serving with the keys in memory", async () => {
    await outcomeOf(verifier, await issuer.token());
    issuer.isDown = true;
    pass(600_000);
    for (let call = 0; call < 100; call++) {
      expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
      expect(await outcomeOf(verifier, await unknown("unknown"))).toBe("unavailable");
      pass(1_000);
    }
    expect(issuer.keyRequests).toBe(1 + 4);
    expect(errors.filter((message) => message.startsWith("The keys of the issuer"))).toHaveLength(4);
    issuer.isDown = false;
    issuer.keys = [await issuerKey("second")];
    pass(30_000);
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
  });

  test("later does not delay tokens of keys in memory, except the first", async () => {
    await outcomeOf(verifier, await issuer.token());
    issuer.replies.set("", () => new Promise(() => undefined));
    pass(600_000);
    const [token, later] = [await issuer.token(), await issuer.token()];
    const waiting = outcomeOf(verifier, token);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBe("valid");
    expect(errors).toEqual([
      "The keys of the issuer https://auth.example.com cannot be requested now: not complete after 10000 ms",
    ]);
    pass(30_000);
    expect(await outcomeOf(verifier, later)).toBe("valid");
    await vi.advanceTimersByTimeAsync(10_000);
  });

  test("does not keep a cancelled call waiting, and other calls go on", async () => {
    let respond = (): void => undefined;
    const response = new Promise<Response>((resolve) => {
      respond = () => resolve(Response.json({ keys: issuer.keys.map(({ jwk }) => jwk) }));
    });
    issuer.replies.set("/jwks", () => response);
    const token = await issuer.token();
    const cancel = new AbortController();
    const cancelled = verifier.verifyAccessToken(token, { resource, signal: cancel.signal });
    const other = outcomeOf(verifier, token);
    await vi.advanceTimersByTimeAsync(1);
    cancel.abort(new Error("the client has gone"));
    await expect(cancelled).rejects.toThrow("the client has gone");
    respond();
    expect(await other).toBe("valid");
  });

  test("does not stop the server when onerror throws", async () => {
    verifier = verifierOf({
      onerror: () => {
        throw new Error("the log is full");
      },
    });
    await outcomeOf(verifier, await issuer.token());
    issuer.isDown = true;
    pass(600_000);
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
  });
});

describe("documents of the issuer", () => {
  const metadata = "/.well-known/oauth-authorization-server";
  const json = (value: unknown) => () => Response.json(value);
  const status = (code: number) => () => new Response(null, { status: code, headers: { location: "/jwks2" } });
  const endless = (): Response =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) }));
  const name = "https://auth.example.com";

  test.each<[string, string, () => Response | Promise<Response>, RegExp]>([
    [
      "metadata of another issuer",
      metadata,
      json({ issuer: `${name}/`, jwks_uri: `${name}/jwks` }),
      /spelled identically/,
    ],
    ["metadata without issuer", metadata, json({ jwks_uri: `${name}/jwks` }), /belongs to no issuer/],
    ["metadata without keys", metadata, json({ issuer: name }), /jwks_uri in the metadata .* is missing/],
    [
      "keys over http",
      metadata,
      json({ issuer: name, jwks_uri: "http://auth.example.com/jwks" }),
      /must begin with https/,
    ],
    [
      "keys on this machine",
      metadata,
      json({ issuer: name, jwks_uri: "https://127.0.0.1/jwks" }),
      /is on this machine/,
    ],
    ["keys in a file", metadata, json({ issuer: name, jwks_uri: "file:///etc/passwd" }), /must begin with https/],
    ["metadata elsewhere", metadata, status(302), /redirects/],
    ["a list as metadata", metadata, json([]), /is not a JSON object/],
    ["endless metadata", metadata, endless, /larger than 262144 bytes/],
    ["no metadata", metadata, status(404), /status 404/],
    ["a failing issuer", metadata, status(503), /status 503/],
    ["keys elsewhere", "/jwks", status(307), /redirects/],
    ["no keys", "/jwks", status(404), /status 404/],
    ["failing keys", "/jwks", status(500), /status 500/],
    ["keys that are not a list", "/jwks", json({ keys: {} }), /has no list of keys/],
    ["keys that are not JSON", "/jwks", () => new Response("<html>"), /is not a JSON object/],
    ["deep keys", "/jwks", () => new Response(`{"keys":${"[".repeat(99)}${"]".repeat(99)}}`), /is not a JSON object/],
    ["endless keys", "/jwks", endless, /larger than 262144 bytes/],
    [
      "keys that end in the middle",
      "/jwks",
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("terminated")) })),
      /terminated/,
    ],
  ])("%s", async (_name, end, reply, message) => {
    issuer.replies.set(end, reply);
    expect(await failureOf(verifier, await issuer.token())).toEqual({
      outcome: "unavailable",
      message: expect.stringMatching(message) as string,
    });
    expect(issuer.requests.every((url) => url.startsWith(name))).toBe(true);
  });

  test("that never come end at the time limit", async () => {
    for (const end of [metadata, "/jwks"]) {
      verifier = verifierOf({ timeoutMs: 2_000 });
      issuer.replies.clear();
      issuer.replies.set(end, () => new Promise(() => undefined));
      const waiting = failureOf(verifier, await issuer.token());
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await waiting).toEqual({
        outcome: "unavailable",
        message: expect.stringContaining("not complete after 2000 ms") as string,
      });
    }
  });

  test("are found at the forms of OpenID Connect, too", async () => {
    issuer = await FakeIssuer.create("https://auth.example.com/tenant");
    issuer.replies.set(metadata + "/tenant", () => new Response(null, { status: 404 }));
    issuer.replies.set(
      "/tenant/.well-known/openid-configuration",
      json({ issuer: issuer.issuer, jwks_uri: issuer.jwksUri }),
    );
    verifier = verifierOf();
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
    expect(issuer.requests).toHaveLength(4);
  });

  test("may contain keys that are not understood", async () => {
    const [first] = issuer.keys;
    const strange = [null, 1, {}, { kty: "XYZ", kid: "first" }, { kty: "EC", crv: "P-256", kid: "first", x: "!" }];
    issuer.replies.set("/jwks", json({ keys: [...strange, first?.jwk] }));
    expect(await outcomeOf(verifier, await issuer.token())).toBe("valid");
  });

  test("with a thousand keys of one kid cost four verifications", async () => {
    const foreign = await issuerKey("foreign");
    issuer.replies.set(
      "/jwks",
      json({ keys: Array.from({ length: 1_000 }, () => ({ ...foreign.jwk, kid: "first" })) }),
    );
    const verify = vi.spyOn(crypto.subtle, "verify");
    expect(await outcomeOf(verifier, await issuer.token())).toBe("signature");
    expect(verify).toHaveBeenCalledTimes(4);
    verify.mockRestore();
  });
});

test("the kid is compared exactly", async () => {
  for (const kid of ["First", "first ", "", "__proto__", "constructor", "x".repeat(5_000)])
    await expect(verifier.verifyAccessToken(await unknown(kid), { resource })).rejects.toThrow(InvalidTokenError);
});
