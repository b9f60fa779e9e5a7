/** A server that accepts access tokens only, and their issuer. They use only web APIs, and no random numbers before the first request. */
import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler, type McpHttpHandler } from "@mcpwright/runtime/server/http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { protectedPath, resource } from "./protected-paths.js";

const issuer = "https://issuer.example";
const header = { alg: "ES256", kid: "one", typ: "at+jwt" };

let keyPair: ReturnType<typeof generateKeyPair> | undefined;

function keys(): ReturnType<typeof generateKeyPair> {
  return (keyPair ??= generateKeyPair(header.alg));
}

async function jwks(): Promise<Response> {
  const { publicKey } = await keys();
  return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: header.kid }] });
}

export function protectedServed(allowedOrigins: readonly string[] = []): McpHttpHandler {
  const authorization = requireBearerAuth({
    resource,
    verifier: jwtVerifier({ issuer, jwks: `${issuer}/jwks`, fetch: jwks }),
    requiredScopes: ["use"],
    dpop: { nonces: true },
  });
  const server = new McpServer({ name: protectedPath, version: "1.0.0" });
  server.registerTool("subject", {}, (context) => ({
    content: [{ type: "text", text: JSON.stringify(authorization.infoOf(context)?.subject) }],
  }));
  server.registerTool("delete", { scopes: ["delete"] }, () => ({ content: [{ type: "text", text: "true" }] }));
  return createMcpHandler(server, { authorization, allowedOrigins });
}

/** Issues a token. The query names its scope, and the thumbprint of the key that it is bound to. */
export async function issueToken({ searchParams }: URL): Promise<Response> {
  const { privateKey } = await keys();
  const jkt = searchParams.get("jkt");
  const token = await new SignJWT({ scope: searchParams.get("scope"), ...(jkt !== null && { cnf: { jkt } }) })
    .setProtectedHeader(header)
    .setIssuer(issuer)
    .setAudience(resource)
    .setSubject("ada")
    .setIssuedAt()
    .setExpirationTime("5 minutes")
    .sign(privateKey);
  return new Response(token, { headers: { "access-control-allow-origin": "*" } });
}
