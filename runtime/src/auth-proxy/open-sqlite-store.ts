import { open } from "node:fs/promises";
import { SdkError } from "../jsonrpc/errors.js";
import type { SqliteDatabase } from "../sqlite/sqlite-database.js";
import { explainSqliteFailure } from "../sqlite/sqlite-failure.js";
import { ProxyStoreError, proxyDatabase } from "./proxy-store-error.js";
import { SqliteProxyStore, type SqliteProxyStoreOptions } from "./sqlite-proxy-store.js";

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}

/** A string, because the declarations of Node 20 do not contain the module. */
const moduleName = ["node", "sqlite"].join(":");

/**
 * Opens a file as the store of an `OAuthProxy`, and creates it when it does not exist, for this user only. Several processes of one
 * machine may open the same file.
 * @param path of the file; its folder must exist
 * @throws SdkError `INVALID_CONFIGURATION` on Node versions without `node:sqlite`: before 22.13, pass a database of better-sqlite3 to
 * `SqliteProxyStore`
 * @throws ProxyStoreError when the file cannot be opened, is damaged, or belongs to another program
 * @example
 * ```ts
 * const store = await openSqliteStore("/var/lib/mcp/proxy.db");
 * ```
 */
export async function openSqliteStore(path: string, options: SqliteProxyStoreOptions = {}): Promise<SqliteProxyStore> {
  const { DatabaseSync } = await importSqlite(path);
  let database: SqliteDatabase;
  try {
    // SQLite gives its other files the mode of this one.
    await (await open(path, "a", 0o600)).close();
    database = new DatabaseSync(path);
  } catch (error) {
    const { reason, message } = explainSqliteFailure(`open ${path}`, error, proxyDatabase);
    throw new ProxyStoreError(reason, message, { cause: error });
  }
  try {
    return new SqliteProxyStore(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function importSqlite(path: string): Promise<SqliteModule> {
  try {
    return (await import(moduleName)) as SqliteModule;
  } catch (error) {
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `openSqliteStore needs node:sqlite, which Node ${process.versions.node} does not have (Node 22.13 and later do). Update Node, or install better-sqlite3 and pass its database: new SqliteProxyStore(new Database(${JSON.stringify(path)}))`,
      undefined,
      { cause: error },
    );
  }
}
