/** The metadata and keys of a provider that are broken, hostile, late, or replaced. */
import { describe, expect, it, vi } from "vitest";
import { oidc } from "../../../runtime/src/auth-proxy/providers/oidc.js";
import { callUpstream } from "../../../runtime/src/auth-proxy/upstream-calls.js";
import {
  type Answer,
  claimsOf,
  failureOf,
  finish,
  type Kind,
  kinds,
  sent,
  sign,
  tokens,
  withAnswer,
} from "./fake-provider.js";

const [kind] = kinds as [Kind];
const { issuer } = kind;
const good = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};

/** A provider with answers of its own at some paths. */
function withPaths(paths: Readonly<Record<string, Answer>>) {
  const found: string[] = [];
  const provider = withAnswer(kind, () => Promise.reject(new Error("unused")), {
    fetch: async (url, init) => {
      const { pathname } = new URL(url);
      found.push(pathname);
      const own = paths[pathname];
      if (own) return own(new URL(url), init);
      return pathname === "/token"
        ? Response.json({ ...tokens, id_token: await sign(claimsOf(kind)) })
        : usualAnswer(url);
    },
  });
  return { provider, found };
}

function usualAnswer(url: string | URL): Response {
  return Response.json(String(url).endsWith("/keys") ? { keys: [] } : good);
}

const metadataPath = "/.well-known/openid-configuration";
const broken: readonly (readonly [string, Answer, string])[] = [
  ["of another issuer", () => Response.json({ ...good, issuer: "https://evil.example" }), "invalid"],
  ["without an issuer", () => Response.json({ ...good, issuer: undefined }), "invalid"],
  [
    "with a token endpoint without https",
    () => Response.json({ ...good, token_endpoint: "http://id.example/t" }),
    "invalid",
  ],
  [
    "with a token endpoint on this machine",
    () => Response.json({ ...good, token_endpoint: "http://127.0.0.1/t" }),
    "invalid",
  ],
  [
    "with a log-in page that is a script",
    () => Response.json({ ...good, authorization_endpoint: "javascript:x" }),
    "invalid",
  ],
  ["with keys in a file", () => Response.json({ ...good, jwks_uri: "file:///etc/keys" }), "invalid"],
  ["without keys", () => Response.json({ ...good, jwks_uri: undefined }), "invalid"],
  ["that redirect", () => Response.redirect("https://evil.example/metadata", 302), "invalid"],
  ["that are HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "invalid"],
  ["that do not exist", () => new Response("", { status: 404 }), "invalid"],
  ["that are too large", () => Response.json({ ...good, more: "x".repeat(1 << 20) }), "invalid"],
  ["that never arrive", () => new Promise(() => undefined), "unreachable"],
  ["of a provider that is down", () => new Response("", { status: 502 }), "unreachable"],
];

describe("metadata", () => {
  it.each(broken)("%s end the log-in before it begins", async (_name, answer, reason) => {
    const { provider, found } = withPaths({ [metadataPath]: answer });
    const call = callUpstream(provider, 30, (context) => Promise.resolve(provider.authorizationUrl(sent, context)));
    await expect(call).rejects.toMatchObject({ name: "UpstreamError", reason });
    expect((await failureOf(finish(provider, {}, 30))).reason).toBe(reason);
    expect(found).not.toContain("/token");
  });

  it("that are an hour old are replaced, or stay while the provider is down", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      let answer: Answer = () => Response.json(good);
      const { provider, found } = withPaths({ [metadataPath]: (...asked) => answer(...asked) });
      const visit = async (): Promise<URL> =>
        callUpstream(provider, 500, (context) => Promise.resolve(provider.authorizationUrl(sent, context)));
      await visit();
      await visit();
      expect(found).toHaveLength(1);
      vi.setSystemTime(Date.now() + 3_700_000);
      answer = () => new Response("", { status: 503 });
      expect((await visit()).pathname).toBe("/authorize");
      answer = () => Response.json({ ...good, authorization_endpoint: `${issuer}/new` });
      expect((await visit()).pathname).toBe("/new");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("keys", () => {
  it.each<readonly [string, Answer, string]>([
    ["are empty", () => Response.json({ keys: [] }), "invalid"],
    ["are garbage", () => new Response("<html>"), "invalid"],
    [
      "contain a secret",
      () => Response.json({ keys: [{ kty: "oct", k: "c2VjcmV0", kid: "one", alg: "HS256" }] }),
      "invalid",
    ],
    ["redirect", () => Response.redirect("https://evil.example/keys", 302), "invalid"],
    ["never arrive", () => new Promise(() => undefined), "unreachable"],
    ["are too large", () => Response.json({ keys: [], more: "x".repeat(1 << 20) }), "invalid"],
  ])("that %s end the log-in", async (_name, answer, reason) => {
    const { provider } = withPaths({ "/keys": answer });
    expect((await failureOf(finish(provider, {}, 100))).reason).toBe(reason);
  });
});

it.each([
  "http://id.example",
  "https://user@id.example",
  "https://id.example?x",
  "https://id.example/#x",
  "id.example",
  "",
  7,
])("refuses the issuer %j", (given) => {
  expect(() => oidc({ issuer: given as string, clientId: "proxy", clientSecret: "secret" })).toThrow(
    /oidc: issuer must be the https URL/,
  );
});
