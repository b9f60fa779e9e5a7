import type { RequestHandler } from "express";
import { type BearerAuthMiddlewareOptions, requireAuth } from "../express/bearer-auth.js";
import { verifyBearerToken } from "../shared/bearer-auth.js";
import { OAuthError as CodedError } from "../shared/oauth-error.js";
import { toOAuthError } from "./endpoint.js";

export type { BearerAuthMiddlewareOptions } from "../express/bearer-auth.js";

/** Requires an access token, and sets `request.auth`. Other requests get a challenge (RFC 6750, section 3). */
export function requireBearerAuth(options: BearerAuthMiddlewareOptions): RequestHandler {
  const { verifier, resourceMetadataUrl: _resourceMetadataUrl, ...checks } = options;
  const verifyAccessToken: typeof verifier.verifyAccessToken = async (token) => {
    try {
      return await verifier.verifyAccessToken(token);
    } catch (thrown) {
      const { errorCode, message, errorUri } = toOAuthError(thrown);
      throw new CodedError(errorCode, message, errorUri);
    }
  };
  return requireAuth((header) => verifyBearerToken(header, { ...checks, verifier: { verifyAccessToken } }), options);
}
