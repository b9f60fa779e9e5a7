/** ID tokens that are forged, expired or meant for others, at each kind of provider; and users who are not accepted. */
import { exportJWK, generateKeyPair, type JWTPayload, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { entra } from "../../../runtime/src/auth-proxy/providers/entra.js";
import { google } from "../../../runtime/src/auth-proxy/providers/google.js";
import type { ProviderOptions } from "../../../runtime/src/auth-proxy/providers/provider-options.js";
import type { UpstreamLogin } from "../../../runtime/src/auth-proxy/upstream-provider.js";
import {
  type Answer,
  authority,
  claimsOf,
  clientSecret,
  failureOf,
  finish,
  type Kind,
  kinds,
  otherTenant,
  personalTenant,
  publicKey,
  sign,
  tenant,
  tokens,
  withAnswer,
} from "./fake-provider.js";

const { privateKey: otherKey, publicKey: otherPublicKey } = await generateKeyPair("RS256");

describe.each(kinds)("the ID token of $name", (kind) => {
  const now = Math.floor(Date.now() / 1_000);

  it("is accepted when all is right", async () => {
    const provider = withAnswer(kind, async () => Response.json({ ...tokens, id_token: await sign(claimsOf(kind)) }));
    expect((await finish(provider)).user).toMatchObject({ issuer: kind.issuer, subject: "ada" });
  });

  const bad: readonly (readonly [string, (claims: JWTPayload) => Promise<string> | string])[] = [
    ["has the nonce of another log-in", (claims) => sign({ ...claims, nonce: "other" })],
    ["has no nonce", ({ nonce: _nonce, ...claims }) => sign(claims)],
    ["is for another client", (claims) => sign({ ...claims, aud: "another client" })],
    ["is for two clients, without azp", (claims) => sign({ ...claims, aud: ["proxy", "another"] })],
    ["was requested by another client", (claims) => sign({ ...claims, aud: ["proxy", "another"], azp: "another" })],
    ["has another issuer", (claims) => sign({ ...claims, iss: "https://evil.example" })],
    ["has an issuer that looks similar", (claims) => sign({ ...claims, iss: `${String(claims.iss)}/` })],
    ["has expired", (claims) => sign({ ...claims, exp: now - 120, iat: now - 600 })],
    ["has no end", ({ exp: _exp, ...claims }) => sign(claims)],
    ["is not valid yet", (claims) => sign({ ...claims, nbf: now + 600 })],
    ["has no subject", ({ sub: _sub, ...claims }) => sign(claims)],
    ["is not signed", (claims) => new UnsecuredJWT(claims).encode()],
    ["is signed with the client secret", (c) => sign(c, { alg: "HS256" }, new TextEncoder().encode(clientSecret))],
    [
      "is signed with the public key as a secret",
      (c) => sign(c, { alg: "HS256" }, new TextEncoder().encode(JSON.stringify(publicKey))),
    ],
    ["is signed with another key", (claims) => sign(claims, {}, otherKey)],
    ["names an unknown key", (claims) => sign(claims, { kid: "two" }, otherKey)],
    ["brings its own key", async (c) => sign(c, { kid: "two", jwk: await exportJWK(otherPublicKey) }, otherKey)],
    ["has a critical header that nobody knows", (claims) => unsafeHeader(claims)],
    ["is garbage", () => "a.b.c"],
    ["is empty", () => ""],
  ];

  it.each(bad)("is refused when it %s", async (_name, make) => {
    const provider = withAnswer(kind, async () => Response.json({ ...tokens, id_token: await make(claimsOf(kind)) }));
    expect((await failureOf(finish(provider))).reason).toBe("invalid");
  });
});

async function unsafeHeader(claims: JWTPayload): Promise<string> {
  const [, payload = "", signature = ""] = (await sign(claims)).split(".");
  const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: "one", crit: ["x"], x: 1 })).toString("base64url");
  return `${header}.${payload}.${signature}`;
}

describe("accounts of many Entra directories", () => {
  const [, , , many] = kinds as [Kind, Kind, Kind, Kind];
  const login = (claims: JWTPayload, options: object = {}, parameters = {}): Promise<UpstreamLogin> =>
    finish(
      withAnswer({ ...many, create: (given) => entra({ ...given, tenant: "organizations", ...options }) }, async () =>
        Response.json({ ...tokens, id_token: await sign({ ...claimsOf(many), ...claims }) }),
      ),
      parameters,
    );

  it.each([
    ["names another directory than its issuer", { tid: otherTenant }, {}, "invalid"],
    ["has an issuer of another directory", { iss: `${authority}/${otherTenant}/v2.0` }, {}, "invalid"],
    ["has the template of the issuer", { iss: `${authority}/{tenantid}/v2.0` }, {}, "invalid"],
    ["names no directory", { tid: undefined }, {}, "invalid"],
    ["names a path instead of a directory", { tid: `${tenant}/../${otherTenant}` }, {}, "invalid"],
    ["is of a directory that is not allowed", {}, { allowedTenants: [otherTenant] }, "denied"],
    [
      "is of a personal account",
      { tid: personalTenant, iss: `${authority}/${personalTenant}/v2.0` },
      { tenant: "organizations" },
      "denied",
    ],
    [
      "is of a personal account, and only a directory is allowed",
      { tid: personalTenant, iss: `${authority}/${personalTenant}/v2.0` },
      { tenant: "common", allowedTenants: [tenant] },
      "denied",
    ],
  ] as const)("an ID token is refused when it %s", async (_name, claims, options, reason) => {
    expect((await failureOf(login(claims, options))).reason).toBe(reason);
  });

  it("accepts personal accounts with common", async () => {
    const claims = { tid: personalTenant, iss: `${authority}/${personalTenant}/v2.0` };
    expect((await login(claims, { tenant: "common" })).user.issuer).toBe(claims.iss);
  });

  it("compares the iss of the authorization response with the directory", async () => {
    expect((await failureOf(login({}, {}, { iss: `${authority}/${otherTenant}/v2.0` }))).reason).toBe("invalid");
    expect((await login({}, {}, { iss: `${authority}/${tenant}/v2.0` })).user.subject).toBe("ada");
  });

  it.each(["http://login.example", "https://login.example/path", "https://login.example/", "login.example", ""])(
    "refuses the authority %j",
    (given) => {
      for (const audience of ["organizations", tenant])
        expect(() => entra({ clientId: "proxy", clientSecret, tenant: audience, authority: given })).toThrow(
          /entra: authority must be an https origin/,
        );
    },
  );
});

describe("users whom the service does not accept", () => {
  it.each([
    ["false", () => false],
    ["undefined", () => undefined],
    ["a promise of undefined", () => Promise.resolve(undefined)],
    ["0", () => 0],
    ["a text", () => "no"],
  ])("are denied when acceptUser returns %s", async (_name, accept) => {
    for (const kind of kinds) {
      const acceptUser = accept as unknown as () => boolean;
      const answer: Answer = async () => Response.json({ ...tokens, id_token: await sign(claimsOf(kind)) });
      expect((await failureOf(finish(withAnswer(kind, answer, { acceptUser })))).reason).toBe("denied");
    }
  });

  it("fails when acceptUser throws", async () => {
    const [kind] = kinds as [Kind];
    const acceptUser = (): never => {
      throw new Error("the list of members cannot be read");
    };
    const answer: Answer = async () => Response.json({ ...tokens, id_token: await sign(claimsOf(kind)) });
    const error = await failureOf(finish(withAnswer(kind, answer, { acceptUser })));
    expect(error).toMatchObject({ reason: "invalid", message: expect.stringContaining("list of members") as string });
  });

  it("with hostedDomain are those of other Google domains, and of none", async () => {
    const [, kind] = kinds as [Kind, Kind];
    const domain = {
      ...kind,
      create: (options: ProviderOptions) => google({ ...options, hostedDomain: "good.example" }),
    };
    for (const [hd, reason] of [
      ["good.example", undefined],
      ["evil.example", "denied"],
      ["good.example.evil.example", "denied"],
      [["good.example"], "denied"],
      [undefined, "denied"],
    ] as const) {
      const answer: Answer = async () => Response.json({ ...tokens, id_token: await sign({ ...claimsOf(kind), hd }) });
      const found = finish(withAnswer(domain, answer));
      if (reason === undefined) expect((await found).user.subject).toBe("ada");
      else expect((await failureOf(found)).reason).toBe(reason);
    }
  });
});
