import type { SqliteUse } from "../../sqlite/sqlite-failure.js";
import type { SqliteSchema } from "../../sqlite/sqlite-schema.js";

/**
 * - `stamp`: the time of the creation, unique; `changed`: the time of the last change, unique. Both in microseconds of the store's clock.
 * - `request_size`: the characters of the request; `size`: those of the request and the record.
 * - Requests have a table of their own, because SQLite writes all of a row that changes.
 */
const tables = `
  CREATE TABLE tasks (
    stamp INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    revision TEXT NOT NULL,
    version INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    worker TEXT NOT NULL,
    expires_at INTEGER,
    changed INTEGER NOT NULL,
    request_size INTEGER NOT NULL,
    size INTEGER NOT NULL,
    record TEXT NOT NULL
  );
  CREATE TABLE task_requests (stamp INTEGER PRIMARY KEY, request TEXT NOT NULL);
  CREATE TABLE task_workers (id TEXT PRIMARY KEY, beat INTEGER NOT NULL, lease_ms INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE task_store (clock INTEGER NOT NULL, tasks INTEGER NOT NULL, size INTEGER NOT NULL);
  INSERT INTO task_store VALUES (0, 0, 0);
  CREATE INDEX tasks_owner ON tasks (owner, revision, stamp);
  CREATE INDEX tasks_usage ON tasks (owner, size);
  CREATE INDEX tasks_end ON tasks (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX tasks_worker ON tasks (worker, stamp) WHERE ended = 0;
  CREATE INDEX tasks_changed ON tasks (changed);
  CREATE TRIGGER tasks_added AFTER INSERT ON tasks BEGIN
    UPDATE task_store SET tasks = tasks + 1, size = size + new.size;
  END;
  CREATE TRIGGER tasks_deleted AFTER DELETE ON tasks BEGIN
    DELETE FROM task_requests WHERE stamp = old.stamp;
    UPDATE task_store SET tasks = tasks - 1, size = size - old.size;
  END;
  CREATE TRIGGER tasks_resized AFTER UPDATE OF size ON tasks WHEN new.size <> old.size BEGIN
    UPDATE task_store SET size = size + new.size - old.size;
  END;
`;

export const taskDatabase: SqliteSchema & SqliteUse = {
  applicationId: 0x4d43_5054,
  migrations: [tables],
  user: "the server",
  loss: "its tasks are then lost",
};

/** Of two clocks, the later one counts. The parameter is in milliseconds. */
const isAlive = "(expires_at IS NULL OR expires_at > max(?, (SELECT clock / 1000 FROM task_store)))";

export const statements = {
  clock: "SELECT clock FROM task_store",
  setClock: "UPDATE task_store SET clock = ?",
  usage: "SELECT tasks, size FROM task_store",
  usageOfOwner: "SELECT COUNT(*) AS tasks, COALESCE(SUM(size), 0) AS size FROM tasks WHERE owner = ?",
  recordSize: `SELECT size - request_size AS size FROM tasks WHERE id = ? AND owner = ? AND version = ? AND ended = 0 AND ${isAlive}`,
  add: `INSERT INTO tasks (stamp, changed, id, owner, revision, version, ended, worker, expires_at, request_size, size,
    record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING stamp`,
  addRequest: "INSERT INTO task_requests (stamp, request) VALUES (?, ?)",
  get: `SELECT record FROM tasks WHERE id = ? AND owner = ? AND ${isAlive}`,
  getRequest: `SELECT request FROM tasks JOIN task_requests USING (stamp) WHERE id = ? AND owner = ? AND ${isAlive}`,
  replace: `UPDATE tasks SET version = ?, ended = ?, worker = ?, expires_at = stamp / 1000 + ?, changed = ?, size = request_size + ?, record = ?
    WHERE id = ? AND owner = ? AND version = ? AND ended = 0 AND ${isAlive} RETURNING stamp`,
  remove: `DELETE FROM tasks WHERE id = ? AND owner = ? AND ${isAlive} RETURNING stamp`,
  list: `SELECT stamp, record FROM tasks WHERE owner = ? AND revision = ? AND stamp > ? AND ${isAlive} ORDER BY stamp LIMIT ?`,
  beat: `INSERT INTO task_workers (id, beat, lease_ms) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, lease_ms = excluded.lease_ms`,
  retire: "DELETE FROM task_workers WHERE id = ?",
  workers: `SELECT id, beat, lease_ms FROM task_workers
    UNION ALL SELECT DISTINCT worker, NULL, NULL FROM tasks
    WHERE ended = 0 AND NOT EXISTS (SELECT 1 FROM task_workers WHERE id = worker)`,
  ofWorker: `SELECT stamp, record FROM tasks WHERE worker = ? AND ended = 0 AND ${isAlive} ORDER BY stamp LIMIT ?`,
  expire: "DELETE FROM tasks WHERE stamp IN (SELECT stamp FROM tasks WHERE expires_at <= ? LIMIT 500) RETURNING id",
  nextEnd: "SELECT MIN(expires_at) AS next FROM tasks WHERE expires_at IS NOT NULL",
  version: "PRAGMA data_version",
  changedSince: "SELECT id, changed FROM tasks WHERE changed > ? ORDER BY changed",
  lastChange: "SELECT MAX(changed) AS last FROM tasks",
} as const;
