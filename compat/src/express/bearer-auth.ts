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
  return async (request, response, next) => {
    try {
      request.auth = await verifyBearerToken(request.headers.authorization, options);
    } catch (thrown) {
      const { status, header, error } = challengeFor(thrown, options);
      if (header !== undefined) response.set("WWW-Authenticate", header);
      response.status(status).json(error.toResponseObject());
      return;
    }
    next();
  };
}
