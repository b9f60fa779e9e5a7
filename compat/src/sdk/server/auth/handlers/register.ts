export { clientRegistrationHandler } from "../../../../oauth-server/registration-handler.js";
export type { ClientRegistrationHandlerOptions } from "../../../../oauth-server/registration-handler.js";
