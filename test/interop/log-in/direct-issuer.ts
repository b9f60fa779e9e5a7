import { introspectionVerifier } from "@mcpwright/runtime/auth/server";
import { introspector, startAuthServer } from "../../auth-server/auth-server.js";
import { scopes, serviceClient } from "./parties.js";
import type { TokenIssuer } from "./token-issuer.js";

/** Starts an authorization server at which clients register themselves, and whose opaque tokens are introspected. */
export async function startDirectIssuer(resource: string, dpop: boolean): Promise<TokenIssuer> {
  const auth = await startAuthServer({ registration: true, clients: [serviceClient], dpopNonces: dpop });
  auth.resources.set(resource, { scopes: Object.values(scopes), tokens: "opaque" });
  const { client_id: clientId, client_secret: clientSecret } = introspector;
  return {
    verifier: introspectionVerifier({ issuer: auth.issuer, clientId, clientSecret, cacheMs: 0 }),
    events: auth.events,
    expire: () => auth.expireAccessTokens(),
    nameOf: (_context, { subject }) => subject,
  };
}
