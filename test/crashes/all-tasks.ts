import type { TaskRecord } from "../../runtime/src/tasks/task-record.js";
import type { SqliteTaskStore } from "../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { owners } from "./settings.js";

/** Reads all tasks of a revision, page by page. */
export function allTasks(store: SqliteTaskStore, revision: string): TaskRecord[] {
  const tasks: TaskRecord[] = [];
  for (const owner of owners) {
    let cursor: string | undefined;
    do {
      const page = store.list({ owner, revision, cursor, limit: 200 });
      tasks.push(...page.records);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  return tasks;
}
