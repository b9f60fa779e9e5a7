import type { BackplaneFailure } from "../backplane/backplane-error.js";
import { StoreError } from "../jsonrpc/store-error.js";
import type { SqliteFailure, SqliteUse } from "../sqlite/sqlite-failure.js";

/** Why a store failed. */
export type ProxyStoreFailure =
  /** The database failed; `busy` also when other changes of a value in a backplane were faster, again and again. */
  | SqliteFailure
  /** The backplane failed. */
  | BackplaneFailure;

/** The database of a proxy, in messages. */
export const proxyDatabase: SqliteUse = { user: "the proxy", loss: "all users then log in again" };

/** A store failed. The call that failed changed nothing; when a backplane is `unavailable`, this is not known. */
export class ProxyStoreError extends StoreError<ProxyStoreFailure> {
  override readonly name = "ProxyStoreError";
}
