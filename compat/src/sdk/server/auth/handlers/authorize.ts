export { authorizationHandler } from "../../../../oauth-server/authorization-handler.js";
export type { AuthorizationHandlerOptions } from "../../../../oauth-server/authorization-handler.js";
export { redirectUriMatches } from "../../../../oauth-server/redirects.js";
