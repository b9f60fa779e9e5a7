export { revocationHandler } from "../../../../oauth-server/revocation-handler.js";
export type { RevocationHandlerOptions } from "../../../../oauth-server/revocation-handler.js";
