import { afterAll, beforeAll, expect, test } from "vitest";
import type { OAuthTokenVerifier } from "../../../../runtime/src/auth-server/token-verifier.js";
import { anyVerifier } from "../../../../runtime/src/auth-server/verifiers/any-verifier.js";
import { introspectionVerifier } from "../../../../runtime/src/auth-server/verifiers/introspection-verifier.js";
import { jwtVerifier } from "../../../../runtime/src/auth-server/verifiers/jwt-verifier.js";
import { type AuthServer, startAuthServer } from "../../../auth-server/auth-server.js";
import { resource } from "./fake-issuer.js";
import { outcomeOf } from "./outcome.js";

const opaqueResource = "https://mcp.example.com/opaque";
let authServer: AuthServer;
let jwts: OAuthTokenVerifier;
let opaque: OAuthTokenVerifier;

beforeAll(async () => {
  const client = { client_id: "service", client_secret: "a-secret", grant_types: ["client_credentials"] };
  authServer = await startAuthServer({ clients: [{ ...client, redirect_uris: [], response_types: [] }] });
  const scopes = ["files:read", "files:write"];
  authServer.resources.set(resource, { scopes, tokens: "jwt" });
  authServer.resources.set(opaqueResource, { scopes, tokens: "opaque" });
  const { issuer } = authServer;
  jwts = jwtVerifier({ issuer, typ: "at+jwt" });
  const credentials = { clientId: "resource", clientSecret: "secret-of-the-resource" };
  opaque = introspectionVerifier({ issuer, ...credentials, authMethod: "client_secret_post" });
});

afterAll(() => authServer.close());

async function requestToken(target: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: "client_credentials", resource: target, scope: "files:read" });
  const headers = { authorization: `Basic ${btoa("service:a-secret")}` };
  const response = await fetch(`${authServer.issuer}/token`, { method: "POST", body, headers });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

test("JWTs of oidc-provider are verified with its published keys", async () => {
  const { issuer } = authServer;
  expect(await jwts.verifyAccessToken(await requestToken(resource), { resource })).toMatchObject({
    issuer,
    subject: "service",
    clientId: "service",
    scopes: ["files:read"],
    audience: [resource],
  });
  expect(await outcomeOf(opaque, await requestToken(resource))).toBe("inactive");
});

test("opaque tokens of oidc-provider are introspected", async () => {
  const token = await requestToken(opaqueResource);
  expect(await opaque.verifyAccessToken(token, { resource: opaqueResource })).toMatchObject({
    issuer: authServer.issuer,
    subject: "service",
    clientId: "service",
    scopes: ["files:read"],
    audience: [opaqueResource],
  });
  expect(await outcomeOf(opaque, token)).toBe("audience");
  expect(await outcomeOf(jwts, token)).toBe("malformed");
  await authServer.expireAccessTokens();
  expect(await outcomeOf(opaque, token)).toBe("inactive");
});

test("both together", async () => {
  const both = anyVerifier(jwts, opaque);
  expect(both.issuers).toEqual([authServer.issuer]);
  expect(await outcomeOf(both, await requestToken(resource))).toBe("valid");
  const token = await requestToken(opaqueResource);
  expect(await both.verifyAccessToken(token, { resource: opaqueResource })).toMatchObject({ subject: "service" });
});

test("an ID token of oidc-provider is not an access token", async () => {
  const token = await authServer.sign({ aud: resource, sub: "user-1" });
  expect(await outcomeOf(jwtVerifier({ issuer: authServer.issuer }), token)).toBe("malformed");
});
