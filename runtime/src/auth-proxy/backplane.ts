/** @module auth/proxy/backplane */
export { BackplaneProxyStore } from "./backplane-proxy-store.js";
