/** The SQLite of the Node version that runs the tests. */
import type { SqliteDatabase } from "../../../runtime/src/auth-proxy/sqlite-database.js";

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
}

/** Undefined before Node 22.13. */
export const sqlite = process.getBuiltinModule("node:sqlite") as SqliteModule | undefined;

export function openDatabase(path: string, options?: { readonly readOnly?: boolean }): SqliteDatabase {
  if (!sqlite) throw new Error(`Node ${process.versions.node} has no node:sqlite`);
  return new sqlite.DatabaseSync(path, options ?? {});
}
