import type { RequestHandler } from "express";
import { type AuthRouterOptions, authRouter, createOAuthMetadata } from "../../../oauth-server/router.js";

export { createOAuthMetadata, mcpAuthMetadataRouter } from "../../../oauth-server/router.js";
export type { AuthMetadataOptions, AuthRouterOptions } from "../../../oauth-server/router.js";
export { getOAuthProtectedResourceMetadataUrl } from "../../../shared/resource-metadata.js";

/** Serves an authorization server and its metadata. Use it at the root of the application. */
export function mcpAuthRouter(options: AuthRouterOptions): RequestHandler {
  return authRouter(options, createOAuthMetadata(options));
}
