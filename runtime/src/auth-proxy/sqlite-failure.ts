import { ProxyStoreError, type ProxyStoreFailure } from "./proxy-store-error.js";

/** The primary result codes of SQLite that have a remedy. */
const failures: Readonly<Record<number, ProxyStoreFailure>> = {
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

const remedies: Readonly<Record<ProxyStoreFailure, string>> = {
  full: "the disk, the quota or the database is full; free some space",
  "read-only": "it is read-only; check the owner and the permissions of the file and its folder",
  corrupt: "the file is damaged or is not a database; restore a backup, or delete it: all users then log in again",
  busy: "another process keeps it locked; close programs that have it open, or raise busyTimeoutMs",
  closed: "the database was closed; close it after the proxy",
  unavailable: "the file cannot be opened or read; check the path, the permissions and the disk",
  "wrong-schema": "the database belongs to another program, or to a newer version; choose another file",
  unknown: "the database failed",
};

/**
 * Converts an error of `node:sqlite` or better-sqlite3.
 * @param what could not be done, as in `cannot <what>`
 */
export function sqliteFailure(what: string, error: unknown): ProxyStoreError {
  if (error instanceof ProxyStoreError) return error;
  const reason = reasonOf(error);
  // Values are bound, so that the message of the database contains none of them.
  const detail = reason === "unknown" && error instanceof Error ? ` (${error.message})` : "";
  return new ProxyStoreError(reason, `cannot ${what}: ${remedies[reason]}${detail}`, { cause: error });
}

function reasonOf(error: unknown): ProxyStoreFailure {
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
