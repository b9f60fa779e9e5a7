/** A proxy that authenticates to its provider with a private key instead of a secret. */
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { expect, test } from "vitest";
import type { ProviderKey } from "../../../runtime/src/auth-proxy/providers/client-authentication.js";
import { ProviderAuthentication } from "../../../runtime/src/auth-proxy/providers/client-authentication.js";
import { oidc } from "../../../runtime/src/auth-proxy/providers/oidc.js";
import { claimsOf, finish, type Kind, kinds, publicKey as providerKey, sign, tokens } from "./fake-provider.js";

const [kind] = kinds as [Kind];
const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
const jwk = await exportJWK(privateKey);
const pem = await exportPKCS8(privateKey);

/** Finishes a log-in. @returns the body of the token request, of which `supported` are the algorithms that the provider accepts */
async function tokenRequest(key: ProviderKey, supported?: readonly string[]): Promise<URLSearchParams> {
  let sent = new URLSearchParams();
  const { issuer } = kind;
  const provider = oidc({
    issuer,
    clientId: "proxy",
    privateKey: key,
    fetch: async (url, init) => {
      const { pathname } = new URL(url);
      if (pathname === "/token") {
        sent = new URLSearchParams(init.body as string);
        return Response.json({ ...tokens, id_token: await sign(claimsOf(kind)) });
      }
      if (pathname === "/keys") return Response.json({ keys: [providerKey] });
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        token_endpoint_auth_methods_supported: ["private_key_jwt"],
        ...(supported && { token_endpoint_auth_signing_alg_values_supported: supported }),
      });
    },
  });
  await finish(provider);
  return sent;
}

test.each<readonly [string, ProviderKey, string | undefined]>([
  ["a CryptoKey", { key: privateKey, keyId: "one" }, "one"],
  ["a JWK", { key: jwk, algorithm: "ES256" }, undefined],
  ["a JWK with an id and an algorithm", { key: { ...jwk, kid: "of-jwk", alg: "ES256" } }, "of-jwk"],
  ["PKCS#8 as PEM text", { key: pem, algorithm: "ES256", keyId: "one" }, "one"],
  ["PEM text without an algorithm", { key: pem }, undefined],
])("signs assertions with %s", async (_name, key, kid) => {
  const sent = await tokenRequest(key, ["RS256", "ES256"]);
  expect(sent.get("client_assertion_type")).toBe("urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  expect(sent.has("client_secret")).toBe(false);
  const { payload, protectedHeader } = await jwtVerify(sent.get("client_assertion") ?? "", publicKey, {
    issuer: "proxy",
    subject: "proxy",
    audience: kind.issuer,
  });
  expect(protectedHeader).toMatchObject({ alg: "ES256", ...(kid !== undefined && { kid }) });
  expect(protectedHeader.kid).toBe(kid);
  expect(payload.jti).toMatch(/./);
  expect((payload.exp ?? 0) - Date.now() / 1_000).toBeLessThanOrEqual(300);
});

test("every assertion is another one", async () => {
  const [first, second] = [await tokenRequest({ key: jwk }), await tokenRequest({ key: jwk })];
  expect(first.get("client_assertion")).not.toBe(second.get("client_assertion"));
});

test.each<readonly [string, unknown]>([
  ["a public key", publicKey],
  ["a public JWK", await exportJWK(publicKey)],
  ["a secret", { kty: "oct", k: "c2VjcmV0LW9mLXRoZS10ZXN0" }],
  ["text that is not a key", "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0LW9mLXRoZS10ZXN0\n-----END EC PRIVATE KEY-----"],
])("rejects %s, and does not show it", async (_name, key) => {
  const error: unknown = await tokenRequest({ key: key as ProviderKey["key"] }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const shown = `${String(error)} ${String((error as Error).cause)}`;
  expect(shown).toMatch(/privateKey (?:cannot be read|is a CryptoKey that cannot sign)/);
  expect(shown).not.toContain("c2VjcmV0LW9mLXRoZS10ZXN0");
});

test("rejects a key whose algorithms the provider does not accept", async () => {
  await expect(tokenRequest({ key: jwk }, ["RS256"])).rejects.toThrow("none of the algorithms");
});

test.each([{}, { clientSecret: "secret", privateKey: { key: jwk } }])("needs a secret or a key: %j", (options) => {
  expect(() => new ProviderAuthentication("oidc", options)).toThrow("pass either clientSecret or privateKey");
});
