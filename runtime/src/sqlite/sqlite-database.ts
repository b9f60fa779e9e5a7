/** A value that is bound to a parameter of a statement. */
export type SqliteValue = string | number | null;

/** A prepared statement. */
export interface SqliteStatement {
  get(...parameters: SqliteValue[]): unknown;
  run(...parameters: SqliteValue[]): unknown;
  all(...parameters: SqliteValue[]): unknown[];
}

/** An open SQLite database: the `DatabaseSync` of `node:sqlite`, or the `Database` of better-sqlite3 or libsql. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}
