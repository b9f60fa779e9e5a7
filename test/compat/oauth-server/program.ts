import { createHash } from "node:crypto";
import type { OAuthServerProvider } from "@mcpwright/compat/server-legacy/auth";
import express, { type Express } from "express";
import type { Sdk } from "./packages.js";

type Client = NonNullable<Awaited<ReturnType<OAuthServerProvider["clientsStore"]["getClient"]>>>;

export const verifier = "a-verifier-that-has-the-43-characters-it-needs";
export const challenge = createHash("sha256").update(verifier).digest("base64url");

const callback = "https://app.example/callback";
const known: readonly Client[] = [
  { client_id: "public", redirect_uris: [callback] },
  { client_id: "native", redirect_uris: ["http://127.0.0.1:8080/callback?a=1"] },
  { client_id: "scheme", redirect_uris: ["app.example:/callback"] },
  { client_id: "several", redirect_uris: [callback, "https://app.example/other"] },
  { client_id: "confidential", client_secret: "a secret", redirect_uris: [callback] },
  { client_id: "unlimited", client_secret: "a secret", client_secret_expires_at: 0, redirect_uris: [callback] },
  { client_id: "expired", client_secret: "a secret", client_secret_expires_at: 1_000, redirect_uris: [callback] },
];

/** A provider that keeps everything in memory. Codes and tokens are numbered. */
export function makeProvider(sdk: Sdk): OAuthServerProvider & { readonly seen: unknown[] } {
  const clients = new Map(known.map((client) => [client.client_id, client]));
  const codes = new Map<string, string>();
  const tokens = new Set<string>();
  let issued = 0;
  const seen: unknown[] = [];
  const issue = (scopes: readonly string[] = []) => {
    const refresh_token = `refresh-${issued}`;
    tokens.add(refresh_token);
    return { access_token: `access-${issued++}`, token_type: "bearer", refresh_token, scope: scopes.join(" ") };
  };
  return {
    seen,
    clientsStore: {
      getClient: (id) => {
        if (id === "broken") throw new Error("no database");
        return clients.get(id);
      },
      registerClient: (client) => {
        const registered = client as Client;
        const defined = Object.entries(registered).filter(([, value]) => value !== undefined);
        seen.push(defined.map(([name]) => name).sort());
        clients.set(registered.client_id, registered);
        return registered;
      },
    },
    authorize: async (client, params, response) => {
      const { state, redirectUri, codeChallenge, scopes = [] } = params;
      seen.push(["authorize", client.client_id, scopes, params.resource?.href, params.issuer]);
      if (scopes.includes("forbidden"))
        throw new sdk.AccessDeniedError("The user has refused", "https://auth.example/why");
      if (scopes.includes("broken")) throw new Error("no database");
      const code = `code-${codes.size}`;
      codes.set(code, codeChallenge);
      const url = new URL(redirectUri);
      url.searchParams.set("code", code);
      if (state !== undefined) url.searchParams.set("state", state);
      if (scopes.includes("consent")) response.redirect(303, `/consent?to=${encodeURIComponent(url.href)}`);
      else response.redirect(url.href);
      return Promise.resolve();
    },
    challengeForAuthorizationCode: (_client, code) => {
      const found = codes.get(code);
      return found === undefined ? Promise.reject(new sdk.InvalidGrantError("Unknown code")) : Promise.resolve(found);
    },
    exchangeAuthorizationCode: (...[client, code, codeVerifier, redirectUri, resource]) => {
      seen.push(["exchange", client.client_id, code, codeVerifier, redirectUri, resource?.href]);
      return codes.delete(code)
        ? Promise.resolve(issue(["read"]))
        : Promise.reject(new sdk.InvalidGrantError("Unknown code"));
    },
    exchangeRefreshToken: (client, token, scopes, resource) => {
      seen.push(["refresh", client.client_id, token, scopes, resource?.href]);
      if (token === "broken") return Promise.reject(new sdk.ServerError("The database is locked"));
      return tokens.delete(token)
        ? Promise.resolve(issue(scopes))
        : Promise.reject(new sdk.CustomOAuthError("own_code", "Unknown token"));
    },
    verifyAccessToken: (token) => {
      if (token === "wrong") throw new sdk.InvalidTokenError("Unknown token");
      if (token === "odd") throw new sdk.InvalidScopeError("Odd");
      if (token === "poor") throw new sdk.InsufficientScopeError("Not enough");
      if (token === "failing") throw new sdk.ServerError("The database is locked");
      if (token === "broken") throw new Error("no database");
      const expiresAt = token === "late" ? 1 : Date.now() / 1000 + 60;
      const resource = new URL("https://api.example/mcp/");
      return Promise.resolve({
        token,
        clientId: "public",
        scopes: token === "few" ? [] : ["mcp"],
        expiresAt,
        resource,
      });
    },
    revokeToken: (client, request) => {
      seen.push(["revoke", client.client_id, request]);
      tokens.delete(request.token);
      return Promise.resolve();
    },
  };
}

type RouterOptions = Parameters<Sdk["mcpAuthRouter"]>[0];

/** An application with the authorization server of a package. */
export function makeApp(sdk: Sdk, options: Omit<RouterOptions, "issuerUrl">): Express {
  const app = express();
  app.use(
    sdk.mcpAuthRouter({
      issuerUrl: new URL("https://auth.example"),
      resourceServerUrl: new URL("https://api.example/mcp"),
      scopesSupported: ["read"],
      resourceName: "An example",
      serviceDocumentationUrl: new URL("https://auth.example/docs"),
      ...options,
    }),
  );
  return app;
}
