import type { SqliteDatabase } from "./sqlite-database.js";

/** The tables of a store. */
export interface SqliteSchema {
  /** Marks the databases of the store (`PRAGMA application_id`). */
  readonly applicationId: number;
  /** What needs a file of its own, as in `the proxy`. */
  readonly user: string;
  /** The statements that lead from each version of the tables to the next one; the first ones create them. */
  readonly migrations: readonly string[];
}

/** The database has tables that the store cannot use. */
export class SchemaMismatch extends Error {}

/**
 * Creates the tables of a store in an empty database, and migrates those of an older version, in one transaction.
 * @throws SchemaMismatch before anything is written, when the tables belong to another program or to a newer version
 */
export function openSchema(database: SqliteDatabase, schema: SqliteSchema): void {
  // Before the journal changes, which is a change of the file.
  versionOf(database, schema);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated them since.
    const steps = schema.migrations.slice(versionOf(database, schema));
    // Also without steps, because this finds out whether the database can be written.
    database.exec(
      `${steps.join(";")};
      PRAGMA application_id = ${schema.applicationId}; PRAGMA user_version = ${schema.migrations.length}; COMMIT`,
    );
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ends a transaction after an error, which the caller throws. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back already, as it does when the disk is full.
  }
}

/** Returns the version of the tables; 0 for an empty database. */
function versionOf(database: SqliteDatabase, { applicationId, user, migrations }: SqliteSchema): number {
  const pragma = (name: string): unknown =>
    Object.values(Object(database.prepare(`PRAGMA ${name}`).get()) as Record<string, unknown>)[0];
  const [owner, version] = [pragma("application_id"), pragma("user_version")];
  if (owner === applicationId && typeof version === "number" && version >= 1 && version <= migrations.length)
    return version;
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (tables.length === 0 && owner === 0 && version === 0) return 0;
  throw new SchemaMismatch(
    owner === applicationId
      ? `cannot open the database: its schema has version ${String(version)}, and this version of the package reads ${migrations.length}; update the package, or choose another file`
      : `cannot open the database: it belongs to another program; choose a file of its own for ${user}`,
  );
}
