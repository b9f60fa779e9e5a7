/** Why a database failed. */
export type SqliteFailure =
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

/** The primary result codes of SQLite that have a remedy. */
const failures: Readonly<Record<number, SqliteFailure>> = {
  5: "busy",
  6: "busy",
  8: "read-only",
  10: "unavailable",
  11: "corrupt",
  13: "full",
  14: "unavailable",
  26: "corrupt",
};

const names: readonly (readonly [string, number])[] = [
  ["SQLITE_BUSY", 5],
  ["SQLITE_LOCKED", 6],
  ["SQLITE_READONLY", 8],
  ["SQLITE_IOERR", 10],
  ["SQLITE_CORRUPT", 11],
  ["SQLITE_FULL", 13],
  ["SQLITE_CANTOPEN", 14],
  ["SQLITE_NOTADB", 26],
];

/** The parts of the remedies that depend on what the database is for. */
export interface SqliteUse {
  /** What is lost with the file, as in `all users then log in again`. */
  readonly loss: string;
  /** What to close before the database, as in `the proxy`. */
  readonly user: string;
}

/** What happened, and what to do. */
export interface ExplainedFailure {
  readonly reason: SqliteFailure;
  readonly message: string;
}

/**
 * Explains an error of `node:sqlite`, better-sqlite3 or libsql.
 * @param what could not be done, as in `cannot <what>`
 */
export function explainSqliteFailure(what: string, error: unknown, use: SqliteUse): ExplainedFailure {
  const reason = reasonOf(error);
  // Values are bound, so that the message of the database contains none of them.
  const detail = reason === "unknown" && error instanceof Error ? ` (${error.message})` : "";
  return { reason, message: `cannot ${what}: ${remedies(use)[reason]}${detail}` };
}

function remedies({ loss, user }: SqliteUse): Readonly<Record<SqliteFailure, string>> {
  return {
    full: "the disk, the quota or the database is full; free some space",
    "read-only": "it is read-only; check the owner and the permissions of the file and its folder",
    corrupt: `the file is damaged or is not a database; restore a backup, or delete it: ${loss}`,
    busy: "another process keeps it locked; close programs that have it open, or raise busyTimeoutMs",
    closed: `the database was closed; close it after ${user}`,
    unavailable: "the file cannot be opened or read; check the path, the permissions and the disk",
    "wrong-schema": "the database belongs to another program, or to a newer version; choose another file",
    unknown: "the database failed",
  };
}

function reasonOf(error: unknown): SqliteFailure {
  const { errcode, code, message } = Object(error) as {
    readonly errcode?: unknown;
    readonly code?: unknown;
    readonly message?: unknown;
  };
  const byName = typeof code === "string" ? names.find(([name]) => code.startsWith(name))?.[1] : undefined;
  // Extended result codes contain the primary one in their lowest byte.
  const number = typeof errcode === "number" ? errcode & 0xff : byName;
  const known = number === undefined ? undefined : failures[number];
  if (known) return known;
  if (typeof message === "string" && /database (?:connection )?is not open|statement has been finalized/i.test(message))
    return "closed";
  return code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "ENOTDIR" ? "unavailable" : "unknown";
}
