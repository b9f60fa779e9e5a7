import { generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import type { DiscoveredServer } from "../../../../runtime/src/auth/discovery/discovered-server.js";
import { newestRules } from "../../../../runtime/src/auth/discovery/newest-rules.js";
import type { AuthorizationFlow } from "../../../../runtime/src/auth/grants/authorization-flow.js";

export const issuer = "https://auth.example.com";

/** @param metadata members to replace; undefined removes one */
export function exampleServer(
  metadata: Readonly<Record<string, unknown>> = {},
  hasResourceMetadata = true,
): DiscoveredServer {
  return {
    issuer,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
      ...metadata,
    },
    resource: hasResourceMetadata ? "https://mcp.example.com/mcp" : undefined,
    scopesSupported: undefined,
    acceptsDpop: false,
    rules: newestRules(hasResourceMetadata),
  };
}

export function exampleFlow(
  server = exampleServer(),
  members: Partial<AuthorizationFlow> = {},
): AuthorizationFlow & { readonly verifier: string } {
  return {
    state: generateRandomState(),
    verifier: generateRandomCodeVerifier(),
    redirectUri: "https://app.example.com/callback",
    url: "https://mcp.example.com/mcp",
    server,
    clientId: "client-1",
    expiresAt: Date.now() + 60_000,
    ...members,
  };
}
