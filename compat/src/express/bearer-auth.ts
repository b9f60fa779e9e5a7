import type { RequestHandler } from "express";
import { challengeFor, verifyBearerToken, type VerifyBearerTokenOptions } from "../shared/bearer-auth.js";
import type { AuthInfo } from "../types/index.js";

declare module "express-serve-static-core" {
  interface Request {
    /** The client of the request, which `requireBearerAuth` sets. */
    auth?: AuthInfo;
  }
}

export type BearerAuthMiddlewareOptions = VerifyBearerTokenOptions;

/** Requires an access token, and sets `request.auth`. Other requests get a challenge. */
export function requireBearerAuth(options: BearerAuthMiddlewareOptions): RequestHandler {
  return requireAuth((header) => verifyBearerToken(header, options), options);
}

/**
 * Sets `request.auth`; requests without get a challenge.
 * @param verify returns the client of an `Authorization` header, or throws an OAuthError
 */
export function requireAuth(
  verify: (header: string | undefined) => Promise<AuthInfo>,
  options: Parameters<typeof challengeFor>[1],
): RequestHandler {
  return async (request, response, next) => {
    try {
      request.auth = await verify(request.headers.authorization);
    } catch (thrown) {
      const { status, header, error } = challengeFor(thrown, options);
      if (header !== undefined) response.set("WWW-Authenticate", header);
      response.status(status).json(error.toResponseObject());
      return;
    }
    next();
  };
}
