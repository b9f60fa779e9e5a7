import { beforeAll, describe, expect, it, vi } from "vitest";
import type { AuthorizationServer } from "oauth4webapi";
import { decodeJwt, decodeProtectedHeader, exportJWK, exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import type { CryptoKey, JWK } from "jose";
import {
  ClientAuthentication,
  type ClientAuthenticationOptions,
} from "../../../../runtime/src/auth/client-identity/client-authentication.js";

const issuer = "https://as.example/Tenant";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface Sent {
  readonly body: Record<string, string>;
  readonly authorization: string | null;
}

/** Returns what a client adds to a request to the token endpoint. */
async function sent(
  options: ClientAuthenticationOptions | ClientAuthentication,
  metadata: Partial<AuthorizationServer> = {},
  assigned?: string,
): Promise<Sent> {
  const authentication = options instanceof ClientAuthentication ? options : new ClientAuthentication(options);
  const server = { issuer, metadata: { issuer, ...metadata } };
  const body = new URLSearchParams();
  const headers = new Headers();
  await authentication.choose(server, assigned)(server.metadata, { client_id: "app:1" }, body, headers);
  return { body: Object.fromEntries(body), authorization: headers.get("authorization") };
}

const listing = (...methods: string[]): Partial<AuthorizationServer> => ({
  token_endpoint_auth_methods_supported: methods,
});

interface TestKey {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly pem: string;
  readonly jwk: JWK;
}
const keys: Record<string, TestKey> = {};

beforeAll(async () => {
  for (const alg of ["ES256", "ES384", "RS256", "PS256", "Ed25519"]) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const [pem, jwk] = await Promise.all([exportPKCS8(privateKey), exportJWK(privateKey)]);
    keys[alg] = { publicKey, privateKey, pem, jwk };
  }
});

function key(name: string): TestKey {
  const found = keys[name];
  if (!found) throw new Error(`no key ${name}`);
  return found;
}

function publicJwk(name: string): JWK {
  const { d: _, ...jwk } = key(name).jwk;
  return jwk;
}

describe("the authentication of a client", () => {
  const secret = "pä ss:w+rd%";

  it.each<[string, string | undefined, readonly string[] | undefined, string]>([
    ["Basic without a list", undefined, undefined, "basic"],
    ["Basic when both are listed", undefined, ["client_secret_post", "client_secret_basic"], "basic"],
    ["the body when only it is listed", undefined, ["none", "client_secret_post"], "post"],
    ["the method of the registration", "client_secret_post", undefined, "post"],
    [
      "the method of the registration, even when it is not listed",
      "client_secret_post",
      ["client_secret_basic"],
      "post",
    ],
    ["no authentication when the registration says so", "none", ["client_secret_basic"], "none"],
  ])("with a secret uses %s", async (_title, assigned, listed, expected) => {
    const { body, authorization } = await sent({ clientSecret: secret }, listed && listing(...listed), assigned);
    const client_id = "app:1";
    const credentials = Buffer.from("app%3A1:p%C3%A4+ss%3Aw%2Brd%25").toString("base64");
    expect({ body, authorization }).toEqual(
      {
        basic: { body: {}, authorization: `Basic ${credentials}` },
        post: { body: { client_id, client_secret: secret }, authorization: null },
        none: { body: { client_id }, authorization: null },
      }[expected],
    );
  });

  it.each([
    ["client-1.a_b*c", "s-e.c_r*t", "client-1.a_b*c:s-e.c_r*t"],
    ["a:b", "c:d", "a%3Ab:c%3Ad"],
    ["~!'()", "+ &=%", "%7E%21%27%28%29:%2B+%26%3D%25"],
    ["é", "€", "%C3%A9:%E2%82%AC"],
  ])(
    "with Basic encodes the id %j and the secret %j only where it must",
    async (client_id, clientSecret, credentials) => {
      const server = { issuer, metadata: { issuer } };
      const headers = new Headers();
      const authenticate = new ClientAuthentication({ clientSecret }).choose(server);
      await authenticate(server.metadata, { client_id }, new URLSearchParams(), headers);
      expect(headers.get("authorization")).toBe(`Basic ${Buffer.from(credentials).toString("base64")}`);
    },
  );

  it.each([undefined, ["none"], ["client_secret_basic"]])(
    "without secrets is none, with the list %j",
    async (listed) => {
      expect(await sent({}, listed && listing(...listed))).toEqual({
        body: { client_id: "app:1" },
        authorization: null,
      });
    },
  );

  it("reads the secret anew for each request when it is a function", async () => {
    let count = 0;
    const authentication = new ClientAuthentication({ clientSecret: () => Promise.resolve(`secret-${++count}`) });
    const metadata = listing("client_secret_post");
    expect((await sent(authentication, metadata)).body["client_secret"]).toBe("secret-1");
    expect((await sent(authentication, metadata)).body["client_secret"]).toBe("secret-2");
  });

  it("prefers a key to a secret when the server lists both", async () => {
    const options = { clientSecret: secret, privateKey: key("ES256").jwk };
    const { body } = await sent(options, listing("client_secret_basic", "private_key_jwt"));
    expect(body["client_assertion_type"]).toBe(assertionType);
    expect((await sent(options, listing("client_secret_basic"))).authorization).toMatch(/^Basic /);
    expect((await sent(options)).authorization).toMatch(/^Basic /);
  });

  it("can be set", async () => {
    const options = { clientSecret: secret, tokenEndpointAuthMethod: "client_secret_post" } as const;
    expect((await sent(options)).body["client_secret"]).toBe(secret);
  });

  it.each<[string, ClientAuthenticationOptions, readonly string[], string | undefined, RegExp]>([
    [
      "a secret where only keys are listed",
      { clientSecret: secret },
      ["private_key_jwt"],
      undefined,
      /lists only private_key_jwt; .*client_secret_basic/,
    ],
    [
      "a method that is not supported",
      { clientSecret: secret },
      [],
      "client_secret_jwt",
      /expects the method client_secret_jwt/,
    ],
    ["a registration that demands a secret but gave none", {}, [], "client_secret_basic", /neither a secret nor a key/],
    [
      "a method without its key",
      { clientSecret: secret, tokenEndpointAuthMethod: "private_key_jwt" },
      [],
      undefined,
      /private_key_jwt/,
    ],
  ])("fails with a reason: %s", async (_title, options, listed, assigned, message) => {
    const failed = sent(options, listing(...listed), assigned);
    await expect(failed).rejects.toMatchObject({ reason: "no-client", data: { issuer } });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(secret);
  });

  it.each<[string, object]>([
    ["an empty secret", { clientSecret: "" }],
    ["a secret of another type", { clientSecret: 5 }],
    ["a function that returns no secret", { clientSecret: () => undefined }],
    ["an empty assertion", { jwtBearerAssertion: "" }],
    ["a key and an assertion", { privateKey: "x", jwtBearerAssertion: "y" }],
    ["a key that is not a key", { privateKey: "x" }],
    ["a key as an empty JWK", { privateKey: {} }],
  ])("rejects %s", async (_title, options) => {
    await expect(async () => sent(options)).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
  });
});

describe("a client assertion", () => {
  const listed = (...algorithms: string[]): Partial<AuthorizationServer> => ({
    ...listing("private_key_jwt"),
    token_endpoint_auth_signing_alg_values_supported: algorithms,
  });

  it("names client, issuer, time and id", async () => {
    const { body } = await sent({ privateKey: key("ES256").pem }, listed("ES256"));
    expect(body).toMatchObject({ client_id: "app:1", client_assertion_type: assertionType });
    const { payload } = await jwtVerify(body["client_assertion"] ?? "", key("ES256").publicKey, {
      issuer: "app:1",
      subject: "app:1",
      audience: issuer,
      requiredClaims: ["jti", "exp", "iat"],
    });
    expect(payload.aud).toBe(issuer);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(60);
  });

  it.each<[string, (key: TestKey) => NonNullable<ClientAuthenticationOptions["privateKey"]>]>([
    ["a CryptoKey", ({ privateKey }) => privateKey],
    ["a JWK", ({ jwk }) => jwk],
    ["PKCS#8", ({ pem }) => pem],
    ["PKCS#8 in bytes", ({ pem }) => new TextEncoder().encode(pem)],
    [
      "a function",
      ({ pem }) =>
        () =>
          Promise.resolve(pem),
    ],
  ])("is signed with the key, given as %s", async (_title, give) => {
    for (const alg of ["ES256", "ES384", "RS256", "PS256", "Ed25519"]) {
      const { body } = await sent({ privateKey: give(key(alg)) }, listed(alg));
      const { protectedHeader } = await jwtVerify(body["client_assertion"] ?? "", key(alg).publicKey);
      expect(protectedHeader.alg).toBe(alg);
    }
  });

  it.each<[string, ClientAuthenticationOptions | (() => ClientAuthenticationOptions), string[] | undefined, string]>([
    ["of the option", () => ({ privateKey: key("RS256").jwk, algorithm: "PS256" }), undefined, "PS256"],
    ["of the JWK", () => ({ privateKey: { ...key("RS256").jwk, alg: "RS512" } }), ["RS256", "RS512"], "RS512"],
    ["that the server lists", () => ({ privateKey: key("RS256").pem }), ["ES256", "PS512"], "PS512"],
    ["that is most common without a list", () => ({ privateKey: key("RS256").pem }), undefined, "RS256"],
    ["of the curve", () => ({ privateKey: key("ES384").jwk }), undefined, "ES384"],
    ["EdDSA by its old name", () => ({ privateKey: key("Ed25519").jwk }), ["EdDSA"], "EdDSA"],
    ["EdDSA by its old name, for a CryptoKey", () => ({ privateKey: key("Ed25519").privateKey }), ["EdDSA"], "EdDSA"],
  ])("has the algorithm %s", async (_title, options, algorithms, expected) => {
    const given = typeof options === "function" ? options() : options;
    const { body } = await sent(given, algorithms ? listed(...algorithms) : listing("private_key_jwt"));
    expect(decodeProtectedHeader(body["client_assertion"] ?? "").alg).toBe(expected);
  });

  it.each<[string, () => ClientAuthenticationOptions, RegExp]>([
    ["a key of another type", () => ({ privateKey: key("RS256").pem }), /lists ES256/],
    ["a CryptoKey of another type", () => ({ privateKey: key("RS256").privateKey }), /lists ES256/],
    ["another algorithm", () => ({ privateKey: key("ES256").jwk, algorithm: "ES512" }), /fit the algorithm ES512/],
    ["a public CryptoKey", () => ({ privateKey: key("ES256").publicKey }), /cannot sign/],
    ["a public key", () => ({ privateKey: publicJwk("ES256") }), /private JWK/],
    [
      "PKCS#1",
      () => ({ privateKey: "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----" }),
      /openssl pkcs8/,
    ],
  ])("cannot be made with %s", async (_title, options, message) => {
    await expect(sent(options(), listed("ES256"))).rejects.toThrow(message);
  });

  it("has the key id, the lifetime and the claims of the options", async () => {
    const claims = { tenant: "t", aud: "https://other.example" };
    const options = { privateKey: { ...key("ES256").jwk, kid: "k-1" }, jwtLifetimeSeconds: 300, claims };
    const { body } = await sent(options, listed("ES256"));
    const assertion = body["client_assertion"] ?? "";
    const { exp, iat, aud, ...payload } = decodeJwt(assertion);
    expect(Number(exp) - Number(iat)).toBe(300);
    expect({ aud, tenant: payload["tenant"] }).toEqual(claims);
    expect(decodeProtectedHeader(assertion).kid).toBe("k-1");
    const other = await sent({ ...options, keyId: "k-2" }, listed("ES256"));
    expect(decodeProtectedHeader(other.body["client_assertion"] ?? "").kid).toBe("k-2");
  });

  it("may be signed elsewhere", async () => {
    const { body } = await sent({ jwtBearerAssertion: () => "signed.by.kms" }, listed("ES256"));
    expect(body).toEqual({
      client_id: "app:1",
      client_assertion_type: assertionType,
      client_assertion: "signed.by.kms",
    });
  });

  it("is signed with a key that is imported once", async () => {
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    const authentication = new ClientAuthentication({ privateKey: key("ES256").pem });
    for (let times = 0; times < 3; times++) await sent(authentication, listed("ES256"));
    expect(importKey).toHaveBeenCalledTimes(1);
    importKey.mockRestore();
  });
});
