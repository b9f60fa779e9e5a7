import { setTimeout } from "node:timers/promises";
import Libsql from "libsql";
import { SqliteTaskStore } from "../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { hasEnded, type TaskRecord } from "../../runtime/src/tasks/task-record.js";
import { allTasks } from "./all-tasks.js";
import { auditEnds } from "./audit-ends.js";
import type { Line } from "./lines.js";
import { outcomeOf, type Outcome } from "./outcome.js";
import { Child, makeWorkplace, Processes } from "./processes.js";
import { owners, processDied, unlimited } from "./settings.js";

/** The processes that run at the same time. */
const processCount = 2;
const drainMs = 60_000;

/**
 * Kills processes that share a store of tasks in SQLite, at random moments, and starts others. Afterwards every task that was
 * created must have ended exactly once.
 */
export async function killStores(kills: number): Promise<Outcome> {
  const workplace = await makeWorkplace("store-process.ts");
  const { program, database } = workplace;
  const store = new SqliteTaskStore(new Libsql(database), unlimited);
  const audit = auditEnds(database);
  const lines: Line[] = [];
  let mode = "create";
  const processes = new Processes(
    processCount,
    () => new Child([program, database, mode], (line) => void lines.push(line as Line)),
  );
  try {
    for (let kill = 0; kill < kills; kill++) {
      if (kill === kills - processCount) mode = "drain";
      await processes.killOne(250);
    }
    const tasks = await drained(store);
    await processes.killAll();
    return outcomeOf(kills, tasks, problemsOf(store, tasks, lines, audit.read()));
  } finally {
    await processes.killAll();
    audit.close();
    store.close();
    workplace.remove();
  }
}

/** Waits until all tasks have ended, and returns them. */
async function drained(store: SqliteTaskStore): Promise<readonly TaskRecord[]> {
  const end = Date.now() + drainMs;
  for (;;) {
    const tasks = allTasks(store, "test");
    if (tasks.every(hasEnded) || Date.now() > end) return tasks;
    await setTimeout(50);
  }
}

function problemsOf(
  store: SqliteTaskStore,
  tasks: readonly TaskRecord[],
  lines: readonly Line[],
  ends: ReadonlyMap<string, number>,
): readonly string[] {
  const problems: string[] = [];
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const reported = new Set<string>();
  if (byId.size !== tasks.length) problems.push(`${tasks.length - byId.size} tasks are listed twice`);
  for (const line of lines) {
    if ("created" in line) {
      const task = byId.get(line.created);
      if (!task) problems.push(`lost: ${line.created}`);
      else if (JSON.stringify(task.owner) !== JSON.stringify(line.owner)) problems.push(`foreign: ${task.id}`);
      if (store.getRequest(line.created, line.owner)?.params["id"] !== line.created)
        problems.push(`without its request: ${line.created}`);
    } else {
      if (reported.has(line.ended)) problems.push(`reported as ended twice: ${line.ended}`);
      reported.add(line.ended);
      if (byId.get(line.ended)?.status !== line.status) problems.push(`did not end as reported: ${line.ended}`);
    }
  }
  for (const task of tasks) {
    if (!hasEnded(task)) problems.push(`never ended: ${task.id}`);
    if (ends.get(task.id) !== 1) problems.push(`ended ${ends.get(task.id) ?? 0} times: ${task.id}`);
    if (owners.filter((owner) => store.get(task.id, owner)).length !== 1)
      problems.push(`visible to others: ${task.id}`);
    if (task.status === "failed" && (task.restartable || task.error?.message !== processDied))
      problems.push(`failed without a reason: ${task.id}`);
    if (task.status === "completed" && !task.restartable && task.attempts > 1) problems.push(`restarted: ${task.id}`);
  }
  return problems;
}
