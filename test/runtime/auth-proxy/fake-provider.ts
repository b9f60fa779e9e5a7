/** Providers whose responses a test chooses, without a network. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { expect } from "vitest";
import { entra } from "../../../runtime/src/auth-proxy/providers/entra.js";
import { github } from "../../../runtime/src/auth-proxy/providers/github.js";
import { google } from "../../../runtime/src/auth-proxy/providers/google.js";
import { oidc } from "../../../runtime/src/auth-proxy/providers/oidc.js";
import type { ProviderOptions } from "../../../runtime/src/auth-proxy/providers/provider-options.js";
import { callUpstream } from "../../../runtime/src/auth-proxy/upstream-calls.js";
import { UpstreamError } from "../../../runtime/src/auth-proxy/upstream-error.js";
import type {
  UpstreamLogin,
  UpstreamProvider,
  UpstreamTokenSet,
} from "../../../runtime/src/auth-proxy/upstream-provider.js";

export const tenant = "2d6cb6a7-4e0b-4d60-9f2b-8c3a1f5f0c11";
export const otherTenant = "5b1f3c2d-0000-4d60-9f2b-8c3a1f5f0c11";
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
export const authority = "https://login.microsoftonline.com";
export const clientSecret = "the-secret-of-the-proxy-at-the-provider";
export const sent = {
  redirectUri: "https://mcp.example/callback",
  state: "state-of-the-proxy-0123456789abcdefghijklmno",
  nonce: "nonce-of-the-proxy-0123456789abcdefghijklmno",
  codeVerifier: "verifier-of-the-proxy-0123456789abcdefghijkl",
};
const code = "code-of-the-provider-0123456789";
const secrets = [clientSecret, sent.state, sent.codeVerifier, code, "provider-access-token", "provider-refresh-token"];

const pair = await generateKeyPair("RS256", { extractable: true });
export const publicKey = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256", use: "sig" };

/** Responds to one URL. */
export type Answer = (url: URL, init: RequestInit) => Response | Promise<Response>;

export interface Kind {
  readonly name: string;
  readonly issuer: string;
  readonly create: (options: ProviderOptions) => UpstreamProvider;
  readonly claims?: JWTPayload;
}

export const kinds: readonly Kind[] = [
  {
    name: "oidc",
    issuer: "https://id.example",
    create: (options) => oidc({ ...options, issuer: "https://id.example" }),
  },
  { name: "google", issuer: "https://accounts.google.com", create: google },
  {
    name: "entra, one directory",
    issuer: `${authority}/${tenant}/v2.0`,
    create: (options) => entra({ ...options, tenant }),
    claims: { tid: tenant },
  },
  {
    name: "entra, many directories",
    issuer: `${authority}/${tenant}/v2.0`,
    create: (options) => entra({ ...options, tenant: "organizations" }),
    claims: { tid: tenant },
  },
];

export function claimsOf({ issuer, claims }: Kind): JWTPayload {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer, sub: "ada", aud: "proxy", exp: now + 300, iat: now, nonce: sent.nonce, ...claims };
}

export function sign(
  claims: JWTPayload,
  header: object = {},
  key: CryptoKey | Uint8Array = pair.privateKey,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one", ...header }).sign(key);
}

/** What a provider of OpenID Connect answers to all but its token endpoint. */
function metadataAnswer(url: URL): Response | undefined {
  const issuer = url.href.replace("/.well-known/openid-configuration", "");
  if (issuer !== url.href)
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      // More than a provider should support.
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    });
  return url.pathname.endsWith("/keys") ? Response.json({ keys: [publicKey] }) : undefined;
}

export function withAnswer(kind: Kind, answer: Answer, options: Partial<ProviderOptions> = {}): UpstreamProvider {
  return kind.create({
    clientId: "proxy",
    clientSecret,
    fetch: async (url, init) => metadataAnswer(new URL(url)) ?? answer(new URL(url), init),
    ...options,
  });
}

export const tokens = {
  access_token: "provider-access-token",
  refresh_token: "provider-refresh-token",
  token_type: "Bearer",
};

export function finish(
  provider: UpstreamProvider,
  parameters: Readonly<Record<string, string>> = {},
  timeoutMs = 2_000,
): Promise<UpstreamLogin> {
  const query = new URLSearchParams({ code, state: sent.state, ...parameters });
  return callUpstream(provider, timeoutMs, (context) => provider.finish({ ...sent, parameters: query }, context));
}

/** The error of a call, which shows no secret. */
export async function failureOf(call: Promise<UpstreamLogin | UpstreamTokenSet>): Promise<UpstreamError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UpstreamError)) throw new Error(`no UpstreamError, but ${String(error)}`, { cause: error });
  const shown = `${error.message} ${JSON.stringify(error.data)} ${String(error.cause)} ${error.stack}`;
  for (const secret of secrets) expect(shown).not.toContain(secret);
  return error;
}

export const githubKind: Kind = {
  name: "github",
  issuer: "https://github.com/login/oauth",
  create: (options) => github({ ...options, clientSecret }),
};
