/** @module tasks/sqlite */
export { SqliteTaskStore, type SqliteTaskStoreOptions } from "./sqlite/sqlite-task-store.js";
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "../sqlite/sqlite-database.js";
