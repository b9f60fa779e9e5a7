/** The grants with assertions, which oidc-provider leaves to its users. */
import { createLocalJWKSet, createRemoteJWKSet, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { RegisteredResource } from "./registered-resource.js";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const identityAssertion = "urn:ietf:params:oauth:token-type:id-jag";

type Parameters = Readonly<Record<string, string | undefined>>;

/**
 * Accepts JWTs of other issuers instead of a log-in (RFC 7523): identities of workloads, and identity assertions of enterprises,
 * which name the client and the resource.
 */
export function acceptAssertions(
  provider: Provider,
  issuers: readonly string[],
  resources: ReadonlyMap<string, RegisteredResource>,
): void {
  provider.registerGrantType(
    jwtBearer,
    async (context) => {
      const { client, params } = context.oidc;
      const { assertion = "", resource = "", scope = "" } = params as Parameters;
      const known = resources.get(resource);
      if (!known) return refuse(context, "invalid_target");
      const claims = await verify(assertion, issuers, provider.issuer);
      if (!claims) return refuse(context, "invalid_grant");
      if (
        claims["resource"] !== undefined &&
        (claims["resource"] !== resource || claims["client_id"] !== client.clientId)
      )
        return refuse(context, "invalid_grant");
      const granted = scope.split(" ").filter((name) => known.scopes.includes(name));
      const token = new provider.AccessToken({
        accountId: claims.sub ?? "",
        client,
        gty: "jwt_bearer",
        scope: granted.join(" "),
      } as ConstructorParameters<typeof provider.AccessToken>[0]);
      token.resourceServer = new provider.ResourceServer(resource, {
        audience: resource,
        scope: known.scopes.join(" "),
        accessTokenFormat: known.tokens,
        accessTokenTTL: 300,
        ...(known.tokens === "jwt" && { jwt: { sign: { alg: "ES256" } } }),
      });
      context.body = {
        access_token: await token.save(),
        token_type: "Bearer",
        expires_in: token.expiration,
        scope: token.scope,
      };
    },
    ["assertion", "resource", "scope"],
  );
}

/**
 * Exchanges ID tokens of this server for identity assertions that other authorization servers accept (RFC 8693).
 * @param clients the ids of the clients there, by their ids here
 */
export function exchangeIdTokens(provider: Provider, key: JWK, clients: Readonly<Record<string, string>>): void {
  provider.registerGrantType(
    tokenExchange,
    async (context) => {
      const { client, params } = context.oidc;
      const { subject_token: idToken = "", audience = "", resource, scope, ...types } = params as Parameters;
      if (types["requested_token_type"] !== identityAssertion) return refuse(context, "invalid_request");
      const { d: _, ...publicKey } = key;
      const keys = createLocalJWKSet({ keys: [publicKey] });
      const user = await jwtVerify(idToken, keys, { issuer: provider.issuer, audience: client.clientId }).catch(
        () => undefined,
      );
      if (!user) return refuse(context, "invalid_grant");
      const { sub = "" } = user.payload;
      const claims = { iss: provider.issuer, sub, aud: audience, resource, scope, client_id: clients[client.clientId] };
      context.body = {
        issued_token_type: identityAssertion,
        access_token: await sign(key, claims, "oauth-id-jag+jwt"),
        token_type: "N_A",
        expires_in: 300,
      };
    },
    ["requested_token_type", "audience", "resource", "scope", "subject_token", "subject_token_type"],
  );
}

/** A JWT that is valid for five minutes. */
export async function sign(key: JWK, claims: JWTPayload, typ = "JWT"): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ, ...(key.kid !== undefined && { kid: key.kid }) })
    .setIssuedAt()
    .setExpirationTime("5m")
    .setJti(crypto.randomUUID())
    .sign(await importJWK(key, "ES256"));
}

async function verify(
  assertion: string,
  issuers: readonly string[],
  audience: string,
): Promise<JWTPayload | undefined> {
  for (const issuer of issuers) {
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    const verified = await jwtVerify(assertion, keys, { issuer, audience, requiredClaims: ["sub", "exp"] }).catch(
      () => undefined,
    );
    if (verified) return verified.payload;
  }
  return undefined;
}

function refuse(context: KoaContextWithOIDC, error: string): void {
  context.status = 400;
  context.body = { error };
}
