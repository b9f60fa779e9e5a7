/** The authorization server of a run: it has only metadata and a key. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface TokenIssuer {
  readonly issuer: string;
  /** Issues an access token (RFC 9068) that is valid for an hour. */
  issue(resource: string, scope: string): Promise<string>;
  end(): Promise<void>;
}

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const kid = "of-this-run";
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }] };
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer);
    const document = documents[pathname];
    if (document) response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
  };
  const documents: Readonly<Record<string, object>> = {
    "/.well-known/oauth-authorization-server": metadata,
    "/.well-known/openid-configuration": metadata,
    "/jwks": keys,
  };
  return {
    issuer,
    issue: (resource, scope) =>
      new SignJWT({ scope, client_id: "the suite" })
        .setProtectedHeader({ alg: "ES256", kid, typ: "at+jwt" })
        .setIssuer(issuer)
        .setSubject("ada")
        .setAudience(resource)
        .setIssuedAt()
        .setExpirationTime("1h")
        .setJti(crypto.randomUUID())
        .sign(privateKey),
    async end() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
