export { authenticateClient } from "../../../../oauth-server/client-auth.js";
export type { ClientAuthenticationMiddlewareOptions } from "../../../../oauth-server/client-auth.js";
