export { requireBearerAuth } from "../../../../oauth-server/bearer-auth.js";
export type { BearerAuthMiddlewareOptions } from "../../../../oauth-server/bearer-auth.js";
