import express, { type RequestHandler, type Router } from "express";
import { allowsInsecureIssuers, mcpAuthMetadataRouter as documentsRouter } from "../express/metadata-router.js";
import { assertIssuer, type AuthMetadataOptions as DocumentOptions } from "../shared/resource-metadata.js";
import type { OAuthMetadata } from "../types/sdk-oauth.js";
import { type AuthorizationHandlerOptions, authorizationHandler } from "./authorization-handler.js";
import type { OAuthServerProvider } from "./provider.js";
import { type ClientRegistrationHandlerOptions, clientRegistrationHandler } from "./registration-handler.js";
import { type RevocationHandlerOptions, revocationHandler } from "./revocation-handler.js";
import { type TokenHandlerOptions, tokenHandler } from "./token-handler.js";

/** The parts of an authorization server that its metadata describe. */
export interface OAuthMetadataOptions {
  provider: OAuthServerProvider;
  /** The identifier of the server: a URL with `https:`, or of this computer, without query and fragment. */
  issuerUrl: URL;
  /** The URL of the endpoints. Default: the issuer. */
  baseUrl?: URL;
  serviceDocumentationUrl?: URL;
  scopesSupported?: string[];
}

export type AuthRouterOptions = OAuthMetadataOptions & {
  /** The name of the protected resource. */
  resourceName?: string;
  /** The protected resource, such as `https://api.example.com/mcp`. Default: `baseUrl`, or the issuer. */
  resourceServerUrl?: URL;
  authorizationOptions?: Omit<AuthorizationHandlerOptions, "provider">;
  clientRegistrationOptions?: Omit<ClientRegistrationHandlerOptions, "clientsStore">;
  revocationOptions?: Omit<RevocationHandlerOptions, "provider">;
  tokenOptions?: Omit<TokenHandlerOptions, "provider">;
};

export type AuthMetadataOptions = Omit<DocumentOptions, "oauthMetadata" | "dangerouslyAllowInsecureIssuerUrl"> & {
  /** The metadata of the authorization server, served as they are. */
  oauthMetadata: OAuthMetadata;
};

/**
 * Returns the metadata of an authorization server (RFC 8414).
 * @throws Error for an issuer that clients must not accept
 */
export function createOAuthMetadata(options: OAuthMetadataOptions): OAuthMetadata {
  const { provider, issuerUrl, baseUrl = issuerUrl, serviceDocumentationUrl, scopesSupported } = options;
  assertIssuer(issuerUrl, allowsInsecureIssuers());
  const at = (path: string): string => new URL(path, baseUrl).href;
  return {
    issuer: issuerUrl.href,
    service_documentation: serviceDocumentationUrl?.href,
    authorization_endpoint: at("/authorize"),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint: at("/token"),
    token_endpoint_auth_methods_supported: ["client_secret_post", "none"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    scopes_supported: scopesSupported,
    ...(provider.revokeToken && {
      revocation_endpoint: at("/revoke"),
      revocation_endpoint_auth_methods_supported: ["client_secret_post"],
    }),
    ...(provider.clientsStore.registerClient && { registration_endpoint: at("/register") }),
  };
}

/** Serves the documents by which clients find the authorization server. Use it at the root of the application. */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): Router {
  return documentsRouter(options);
}

/** Serves the endpoints that the metadata name, and the metadata. */
export function authRouter(options: AuthRouterOptions, oauthMetadata: OAuthMetadata): RequestHandler {
  const { provider, issuerUrl, baseUrl = issuerUrl, resourceServerUrl = baseUrl } = options;
  const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = oauthMetadata;
  const router = express.Router();
  const serve = (endpoint: string, handler: RequestHandler): void =>
    void router.use(new URL(endpoint).pathname, handler);
  serve(authorization_endpoint, authorizationHandler({ provider, ...options.authorizationOptions }));
  serve(token_endpoint, tokenHandler({ provider, ...options.tokenOptions }));
  router.use(mcpAuthMetadataRouter({ ...documentsOf(options), oauthMetadata, resourceServerUrl }));
  const { clientsStore } = provider;
  if (registration_endpoint !== undefined)
    serve(registration_endpoint, clientRegistrationHandler({ clientsStore, ...options.clientRegistrationOptions }));
  if (revocation_endpoint !== undefined)
    serve(revocation_endpoint, revocationHandler({ provider, ...options.revocationOptions }));
  return router;
}

function documentsOf({ serviceDocumentationUrl, scopesSupported, resourceName }: AuthRouterOptions) {
  return {
    ...(serviceDocumentationUrl && { serviceDocumentationUrl }),
    ...(scopesSupported && { scopesSupported }),
    ...(resourceName !== undefined && { resourceName }),
  };
}
