import { assertNumberOptions } from "../options/assert-options.js";
import { fromColumn, toColumn } from "../sqlite/column-text.js";
import { SqliteConnection } from "../sqlite/sqlite-connection.js";
import type { SqliteDatabase, SqliteStatement } from "../sqlite/sqlite-database.js";
import { ProxyStoreError, proxyDatabase } from "./proxy-store-error.js";
import type { ProxyStore } from "./proxy-store.js";

export interface SqliteProxyStoreOptions {
  /** Milliseconds that a call waits for other processes that have the database locked. Default: 5,000. */
  readonly busyTimeoutMs?: number;
}

const tables = `
  CREATE TABLE IF NOT EXISTS proxy_values (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at INTEGER,
    group_id TEXT,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS proxy_values_group ON proxy_values (kind, group_id) WHERE group_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS proxy_values_end ON proxy_values (expires_at) WHERE expires_at IS NOT NULL;
`;
const schema = {
  /** Marks the databases of this class. */
  applicationId: 0x4d43_5050,
  migrations: [tables],
  ...proxyDatabase,
} as const;
/** Expired values are deleted a few at a time, so that no call takes long. */
const sweepEvery = 100;
const sweepAtMost = 200;

const statements = {
  get: "SELECT value FROM proxy_values WHERE kind = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)",
  set: `INSERT INTO proxy_values (kind, id, value, expires_at, group_id) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at, group_id = excluded.group_id`,
  take: "DELETE FROM proxy_values WHERE kind = ? AND id = ? RETURNING value, expires_at",
  delete: "DELETE FROM proxy_values WHERE kind = ? AND id = ?",
  deleteGroup: "DELETE FROM proxy_values WHERE kind = ? AND group_id = ?",
  count: "SELECT COUNT(*) AS count FROM proxy_values WHERE kind = ? AND (expires_at IS NULL OR expires_at > ?)",
  sweep: `DELETE FROM proxy_values WHERE (kind, id) IN
    (SELECT kind, id FROM proxy_values WHERE expires_at <= ? LIMIT ${sweepAtMost})`,
} as const;

/**
 * Keeps clients, grants, tokens and consents in a SQLite database, which several processes of one machine may share. Each call is one
 * statement, which SQLite does completely or not at all.
 *
 * The database is the `DatabaseSync` of `node:sqlite` (Node 22.13 and later; `openSqliteStore` opens one), or the `Database` of
 * libsql or of better-sqlite3 5 or later. The store sets its journal to WAL. Put it on a local disk: SQLite cannot lock files of network drives.
 * @example
 * ```ts
 * import Database from "better-sqlite3";
 *
 * const store = new SqliteProxyStore(new Database("proxy.db"));
 * ```
 */
export class SqliteProxyStore implements ProxyStore {
  readonly #connection: SqliteConnection;
  #untilSweep = 0;

  /**
   * @throws SdkError `INVALID_CONFIGURATION` when `database` is not one
   * @throws ProxyStoreError when the database cannot be used: it is read-only, damaged, or belongs to another program
   */
  constructor(database: SqliteDatabase, { busyTimeoutMs = 5_000 }: SqliteProxyStoreOptions = {}) {
    assertNumberOptions({ busyTimeoutMs });
    this.#connection = new SqliteConnection(
      database,
      schema,
      ({ reason, message }, cause) => new ProxyStoreError(reason, message, { cause }),
      busyTimeoutMs,
    );
  }

  get(kind: string, id: string): string | undefined {
    const row = this.#run("read a value", "get", (statement) =>
      statement.get(toColumn(kind), toColumn(id), Date.now()),
    );
    return row === undefined ? undefined : fromColumn((row as { readonly value: string }).value);
  }

  set(kind: string, id: string, value: string, expiresAt?: number, group?: string): void {
    const end = expiresAt === undefined || expiresAt === Infinity ? null : Math.floor(expiresAt);
    this.#run("store a value", "set", (statement) =>
      statement.run(toColumn(kind), toColumn(id), toColumn(value), end, group === undefined ? null : toColumn(group)),
    );
    if (--this.#untilSweep > 0) return;
    this.#untilSweep = sweepEvery;
    this.#run("delete expired values", "sweep", (statement) => statement.run(Date.now()));
  }

  take(kind: string, id: string): string | undefined {
    const row = this.#run("take a value", "take", (statement) => statement.get(toColumn(kind), toColumn(id))) as
      { readonly value: string; readonly expires_at: number | null } | undefined;
    return row && (row.expires_at === null || row.expires_at > Date.now()) ? fromColumn(row.value) : undefined;
  }

  delete(kind: string, id: string): void {
    this.#run("delete a value", "delete", (statement) => statement.run(toColumn(kind), toColumn(id)));
  }

  deleteGroup(kind: string, group: string): void {
    this.#run("delete values", "deleteGroup", (statement) => statement.run(toColumn(kind), toColumn(group)));
  }

  count(kind: string): number {
    const row = this.#run("count values", "count", (statement) => statement.get(toColumn(kind), Date.now()));
    return (row as { readonly count: number }).count;
  }

  /** Closes the database. Close the proxy before. */
  close(): void {
    this.#connection.close();
  }

  #run<Result>(what: string, name: keyof typeof statements, use: (statement: SqliteStatement) => Result): Result {
    return this.#connection.try(what, () => use(this.#connection.statement(statements[name])));
  }
}
