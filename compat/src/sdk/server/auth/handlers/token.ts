export { tokenHandler } from "../../../../oauth-server/token-handler.js";
export type { TokenHandlerOptions } from "../../../../oauth-server/token-handler.js";
