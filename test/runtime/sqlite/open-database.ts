/** The SQLite of the Node version that runs the tests, and libsql, which every version has. */
import Libsql from "libsql";
import type { SqliteDatabase } from "../../../runtime/src/sqlite/sqlite-database.js";

interface OpenOptions {
  readonly readOnly?: boolean;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: OpenOptions) => SqliteDatabase;
}

/** Undefined before Node 22.13. */
export const sqlite = process.getBuiltinModule("node:sqlite") as SqliteModule | undefined;

/** Opens a database of `node:sqlite`. */
export function openDatabase(path: string, options: OpenOptions = {}): SqliteDatabase {
  if (!sqlite) throw new Error(`Node ${process.versions.node} has no node:sqlite`);
  return new sqlite.DatabaseSync(path, options);
}

export function openLibsql(path: string, { readOnly = false }: OpenOptions = {}): SqliteDatabase {
  const database = new Libsql(path);
  // Its option `readonly` has no effect.
  if (readOnly) database.exec("PRAGMA query_only = ON");
  return database;
}

/** The kinds of databases that these tests can open. */
export const databases: readonly (readonly [name: string, open: typeof openDatabase])[] = [
  ["libsql", openLibsql],
  ...(sqlite ? [["node:sqlite", openDatabase] as const] : []),
];
