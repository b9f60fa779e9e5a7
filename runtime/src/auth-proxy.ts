/** @module auth/proxy */
export type {
  KnownClient,
  MetadataDocumentOptions,
  OAuthProxyOptions,
  RegistrationOptions,
} from "./auth-proxy/oauth-proxy-options.js";
export { MemoryProxyStore, type MemoryProxyStoreOptions } from "./auth-proxy/memory-proxy-store.js";
export { openSqliteStore } from "./auth-proxy/open-sqlite-store.js";
export { ProxyStoreError, type ProxyStoreFailure } from "./auth-proxy/proxy-store-error.js";
export type { ProxyStore } from "./auth-proxy/proxy-store.js";
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./auth-proxy/sqlite-database.js";
export { SqliteProxyStore, type SqliteProxyStoreOptions } from "./auth-proxy/sqlite-proxy-store.js";
export type { UpstreamProvider } from "./auth-proxy/upstream-provider.js";
