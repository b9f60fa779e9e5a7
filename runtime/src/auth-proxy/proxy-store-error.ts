import { SdkError } from "../jsonrpc/errors.js";

/** Why a store failed. */
export type ProxyStoreFailure =
  /** The disk, the quota or the database is full. */
  | "full"
  /** The file, or the folder of the file, cannot be written. */
  | "read-only"
  /** The file is not a database, or is damaged. */
  | "corrupt"
  /** Another process kept the database locked for longer than the time limit. */
  | "busy"
  /** The database was closed. */
  | "closed"
  /** The file cannot be opened or read. */
  | "unavailable"
  /** The database belongs to another program, or to a newer version of this package. */
  | "wrong-schema"
  | "unknown";

/** A store failed. Nothing was changed by the call that failed. */
export class ProxyStoreError extends SdkError {
  override readonly name = "ProxyStoreError";
  declare readonly data: { readonly reason: ProxyStoreFailure };

  constructor(
    readonly reason: ProxyStoreFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super("STORE_FAILED", message, { reason }, options);
  }
}
