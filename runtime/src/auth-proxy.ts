/** @module auth/proxy */
export type {
  KnownClient,
  MetadataDocumentOptions,
  OAuthProxyOptions,
  RegistrationOptions,
} from "./auth-proxy/oauth-proxy-options.js";
export type { ProxyStore } from "./auth-proxy/proxy-store.js";
export type { UpstreamProvider } from "./auth-proxy/upstream-provider.js";
