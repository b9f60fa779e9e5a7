/** @module auth/proxy */
export { createOAuthProxy } from "./auth-proxy/create-oauth-proxy.js";
export type { UpstreamAccess } from "./auth-proxy/upstream-tokens.js";
export type { OAuthProxy, OAuthProxyListener } from "./auth-proxy/oauth-proxy.js";
export type {
  AddressOf,
  KnownClient,
  MetadataDocumentOptions,
  OAuthProxyOptions,
  RegistrationOptions,
} from "./auth-proxy/oauth-proxy-options.js";
export { MemoryProxyStore, type MemoryProxyStoreOptions } from "./auth-proxy/memory-proxy-store.js";
export { openSqliteStore } from "./auth-proxy/open-sqlite-store.js";
export { ProxyStoreError, type ProxyStoreFailure } from "./auth-proxy/proxy-store-error.js";
export type { ProxyStore } from "./auth-proxy/proxy-store.js";
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./sqlite/sqlite-database.js";
export { SqliteProxyStore, type SqliteProxyStoreOptions } from "./auth-proxy/sqlite-proxy-store.js";
export { entra, type EntraOptions } from "./auth-proxy/providers/entra.js";
export { github, type GithubOptions } from "./auth-proxy/providers/github.js";
export { google, type GoogleOptions } from "./auth-proxy/providers/google.js";
export { oidc, type OidcOptions } from "./auth-proxy/providers/oidc.js";
export type { ProviderKey } from "./auth-proxy/providers/client-authentication.js";
export type { ProviderOptions } from "./auth-proxy/providers/provider-options.js";
export { UpstreamError, type UpstreamErrorData, type UpstreamFailure } from "./auth-proxy/upstream-error.js";
export type {
  UpstreamContext,
  UpstreamLogin,
  UpstreamProvider,
  UpstreamRequest,
  UpstreamResponse,
  UpstreamTokenSet,
  UpstreamUser,
} from "./auth-proxy/upstream-provider.js";
export type { ProxyClaims } from "./auth-proxy/proxy-claims.js";
