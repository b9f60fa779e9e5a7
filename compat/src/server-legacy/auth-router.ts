import type { RequestHandler } from "express";
import {
  type AuthRouterOptions,
  authRouter,
  createOAuthMetadata as createMetadata,
  type OAuthMetadataOptions,
} from "../oauth-server/router.js";
import type { OAuthMetadata } from "../shared/oauth-types.js";

/**
 * Returns the metadata of an authorization server whose redirects name the issuer (RFC 8414, RFC 9207).
 * @throws Error for an issuer that clients must not accept
 */
export function createOAuthMetadata(options: OAuthMetadataOptions): OAuthMetadata {
  const { authorizationResponseIssParameterSupported: isNamed = true } = options.provider;
  return { ...createMetadata(options), authorization_response_iss_parameter_supported: isNamed };
}

/** Serves an authorization server and its metadata. Use it at the root of the application. */
export function mcpAuthRouter(options: AuthRouterOptions): RequestHandler {
  const { issuerUrl, authorizationOptions } = options;
  return authRouter(
    { ...options, authorizationOptions: { issuerUrl, ...authorizationOptions } },
    createOAuthMetadata(options),
  );
}
