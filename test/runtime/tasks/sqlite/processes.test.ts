import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { openLibsql } from "../../sqlite/open-database.js";
import { ada, newTask, request } from "../new-task.js";

it("gives each abandoned task to one of several processes", async () => {
  const path = join(temporaryFolder("tasks"), "tasks.db");
  const store = new SqliteTaskStore(openLibsql(path));
  const ids = Array.from({ length: 300 }, (_, at) => `${at}`);
  await Promise.all(ids.map(async (id) => store.create(newTask(id), request)));
  const script = join(import.meta.dirname, "claim-all.ts");
  const workers = ["p1", "p2", "p3"];
  const runs = await Promise.all(
    workers.map(async (worker) => promisify(execFile)(process.execPath, ["--import", "tsx", script, path, worker])),
  );
  const claimed = runs.map(({ stdout }) => JSON.parse(stdout) as string[]);
  expect(claimed.flat().sort()).toEqual(ids.sort());
  for (const [at, own] of claimed.entries())
    for (const id of own) expect(store.get(id, ada)).toMatchObject({ worker: workers[at], attempts: 2, version: 2 });
  store.close();
});
