import { assertMethods } from "../options/assert-methods.js";
import { timerDelay } from "../timing/timer-delay.js";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.js";
import { explainSqliteFailure, type ExplainedFailure, type SqliteUse } from "./sqlite-failure.js";
import { openSchema, rollBack, SchemaMismatch, type SqliteSchema } from "./sqlite-schema.js";

/** A database with the tables of a store. All methods throw the errors of the store. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, SqliteStatement>();

  /**
   * @param toError creates an error of the store
   * @throws SdkError `INVALID_CONFIGURATION` when `database` is not one
   */
  constructor(
    database: SqliteDatabase,
    private readonly use: SqliteSchema & SqliteUse,
    private readonly toError: (failure: ExplainedFailure, cause: unknown) => Error,
    busyTimeoutMs: number,
  ) {
    assertMethods(
      database,
      ["exec", "prepare", "close"],
      "pass an open database: a DatabaseSync of node:sqlite, or a Database of better-sqlite3 or libsql",
    );
    this.#database = database;
    this.try("open the database", () => {
      this.setBusyTimeout(busyTimeoutMs);
      openSchema(database, use);
    });
  }

  /** Sets how long a statement waits for other processes, which blocks this one. */
  setBusyTimeout(ms: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${Math.floor(timerDelay(ms))}`);
  }

  /** Returns a prepared statement. Call it in `try`. */
  statement(sql: string): SqliteStatement {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }

  /** Runs work in one transaction, which is rolled back when the work throws. Call it in `try`. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  /** Converts the errors of some work. @param what it does, as in `cannot <what>` */
  try<Result>(what: string, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw error instanceof SchemaMismatch
        ? this.toError({ reason: "wrong-schema", message: error.message }, error)
        : this.toError(explainSqliteFailure(what, error, this.use), error);
    }
  }

  close(): void {
    this.#prepared.clear();
    this.try("close the database", () => this.#database.close());
  }
}
