import { expect, expectTypeOf, it } from "vitest";
import type { AuthInfo } from "../../../runtime/src/auth-server/auth-info.js";
import { requireBearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import type { OAuthTokenVerifier } from "../../../runtime/src/auth-server/token-verifier.js";
import { jwtVerifier } from "../../../runtime/src/auth-server/verifiers/jwt-verifier.js";
import type { Authenticated } from "../../../runtime/src/http-server/host-adapter.js";
import { bearerRequest, factsWith, issuer, resource, verifierOf } from "./requests.js";

interface Tenant {
  readonly tenant: string;
}

it("types the claims by the verifier", () => {
  const verifier: OAuthTokenVerifier<Tenant> = {
    issuers: [issuer],
    verifyAccessToken: () => ({ ...factsWith(), claims: { tenant: "acme" } }),
  };
  const authorization = requireBearerAuth({ resource, verifier });
  const { principal } = authorization.authenticate(bearerRequest("some-token")) as Authenticated;
  const info = authorization.infoOf({ principal });
  expectTypeOf(info).toEqualTypeOf<AuthInfo<Tenant> | undefined>();
  expect(info?.claims.tenant).toBe("acme");
});

it("types the claims of other verifiers as unknown", () => {
  const authorization = requireBearerAuth({ resource, verifier: jwtVerifier({ issuer }) });
  expectTypeOf(authorization.infoOf({})?.claims["email"]).toEqualTypeOf<unknown>();
});

it("accepts the audiences that a verifier names instead of the resource", () => {
  expect(jwtVerifier({ issuer, audience: ["api://files"] }).audiences).toEqual(["api://files"]);
  const facts = factsWith({ audience: ["api://files"] });
  const status = (audiences?: readonly string[]): unknown => {
    const verifier = { ...verifierOf({ "some-token": facts }), audiences };
    return requireBearerAuth({ resource, verifier }).authenticate(bearerRequest("some-token"));
  };
  expect(status()).toMatchObject({ status: 401 });
  expect(status(["api://other"])).toMatchObject({ status: 401 });
  expect(status(["api://other", "api://files"])).toHaveProperty("principal");
});
