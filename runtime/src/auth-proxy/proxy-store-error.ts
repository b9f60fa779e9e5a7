import { StoreError } from "../jsonrpc/store-error.js";
import type { SqliteFailure, SqliteUse } from "../sqlite/sqlite-failure.js";

/** Why a store failed. */
export type ProxyStoreFailure = SqliteFailure;

/** The database of a proxy, in messages. */
export const proxyDatabase: SqliteUse = { user: "the proxy", loss: "all users then log in again" };

/** A store failed. Nothing was changed by the call that failed. */
export class ProxyStoreError extends StoreError<ProxyStoreFailure> {
  override readonly name = "ProxyStoreError";
}
