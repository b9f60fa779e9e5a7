export { createMcpExpressApp } from "./express/app.js";
export type { CreateMcpExpressAppOptions } from "./express/app.js";
export { requireBearerAuth } from "./express/bearer-auth.js";
export type { BearerAuthMiddlewareOptions } from "./express/bearer-auth.js";
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from "./express/guards.js";
export { mcpAuthMetadataRouter } from "./express/metadata-router.js";
export type { OAuthTokenVerifier } from "./shared/bearer-auth.js";
export { getOAuthProtectedResourceMetadataUrl } from "./shared/resource-metadata.js";
export type { AuthMetadataOptions } from "./shared/resource-metadata.js";
