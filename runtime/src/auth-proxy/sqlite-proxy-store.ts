import { assertMethods } from "../options/assert-methods.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { timerDelay } from "../timing/timer-delay.js";
import { ProxyStoreError } from "./proxy-store-error.js";
import type { ProxyStore } from "./proxy-store.js";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.js";
import { sqliteFailure } from "./sqlite-failure.js";

export interface SqliteProxyStoreOptions {
  /** Milliseconds that a call waits for other processes that have the database locked. Default: 5,000. */
  readonly busyTimeoutMs?: number;
}

/** Marks the databases of this class (`PRAGMA application_id`). */
const applicationId = 0x4d43_5050;
const schemaVersion = 1;
const schema = `
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
 * better-sqlite3 5 or later. The store sets its journal to WAL. Put it on a local disk: SQLite cannot lock files of network drives.
 * @example
 * ```ts
 * import Database from "better-sqlite3";
 *
 * const store = new SqliteProxyStore(new Database("proxy.db"));
 * ```
 */
export class SqliteProxyStore implements ProxyStore {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<keyof typeof statements, SqliteStatement>();
  #untilSweep = 0;

  /**
   * @throws SdkError `INVALID_CONFIGURATION` when `database` is not one
   * @throws ProxyStoreError when the database cannot be used: it is read-only, damaged, or belongs to another program
   */
  constructor(database: SqliteDatabase, { busyTimeoutMs = 5_000 }: SqliteProxyStoreOptions = {}) {
    assertMethods(
      database,
      ["exec", "prepare", "close"],
      "pass an open database: a DatabaseSync of node:sqlite, or a Database of better-sqlite3",
    );
    assertNumberOptions({ busyTimeoutMs });
    this.#database = database;
    this.#try("open the database", () => {
      database.exec(`PRAGMA busy_timeout = ${Math.floor(timerDelay(busyTimeoutMs))}`);
      this.#assertOwn();
      database.exec("PRAGMA journal_mode = WAL");
      this.#createTables();
    });
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
    this.#prepared.clear();
    this.#try("close the database", () => this.#database.close());
  }

  /** Refuses the database of another program, before anything is written into it. */
  #assertOwn(): void {
    const pragma = (name: string): unknown =>
      Object.values(Object(this.#database.prepare(`PRAGMA ${name}`).get()) as Record<string, unknown>)[0];
    const tables = this.#database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const isNew = tables.length === 0 && pragma("application_id") === 0 && pragma("user_version") === 0;
    if (isNew || (pragma("application_id") === applicationId && pragma("user_version") === schemaVersion)) return;
    throw new ProxyStoreError(
      "wrong-schema",
      pragma("application_id") === applicationId
        ? `cannot open the database: its schema has version ${String(pragma("user_version"))}, and this version of the package reads ${schemaVersion}; update the package, or choose another file`
        : "cannot open the database: it belongs to another program; choose a file of its own for the proxy",
    );
  }

  #createTables(): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have created them since.
      this.#assertOwn();
      this.#database.exec(
        `${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT`,
      );
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, as it does when the disk is full. The caller throws the first error.
    }
  }

  #run<Result>(what: string, name: keyof typeof statements, use: (statement: SqliteStatement) => Result): Result {
    return this.#try(what, () => {
      const statement = this.#prepared.get(name) ?? this.#database.prepare(statements[name]);
      this.#prepared.set(name, statement);
      return use(statement);
    });
  }

  #try<Result>(what: string, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw sqliteFailure(what, error);
    }
  }
}

/** Texts of SQLite end at the character NUL, so that two ids would be one. */
function toColumn(text: string): string {
  return text.replaceAll("\u0001", "\u00011").replaceAll("\u0000", "\u00010");
}

function fromColumn(text: string): string {
  return text.replaceAll("\u00010", "\u0000").replaceAll("\u00011", "\u0001");
}
