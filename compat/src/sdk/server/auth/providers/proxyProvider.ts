export { ProxyOAuthServerProvider } from "../../../../oauth-server/proxy-provider.js";
export type { ProxyEndpoints, ProxyOptions } from "../../../../oauth-server/proxy-provider.js";
