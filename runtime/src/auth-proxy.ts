/** @module auth/proxy */
export type { ProxyStore } from "./auth-proxy/proxy-store.js";
