import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import Libsql from "libsql";
import { SqliteTaskStore } from "../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { allTasks } from "./all-tasks.js";
import { auditEnds } from "./audit-ends.js";
import { outcomeOf, type Outcome } from "./outcome.js";
import { Child, makeWorkplace, Processes } from "./processes.js";
import { tools, unlimited } from "./settings.js";
import { revision, TaskClient } from "./task-client.js";

/** The servers that run at the same time, and the tasks that a client follows at the same time. */
const [serverCount, taskCount] = [2, 100];
const drainMs = 90_000;

/**
 * Kills servers that share a store of tasks in SQLite, at random moments, and starts others, while clients create tasks, answer their
 * questions and cancel some. Every task that a client has received must end once, in a state that all servers report from then on.
 */
export async function killServers(kills: number): Promise<Outcome> {
  const workplace = await makeWorkplace("server-process.ts");
  const { program, database } = workplace;
  const store = new SqliteTaskStore(new Libsql(database), unlimited);
  const audit = auditEnds(database);
  const servers = new Processes(serverCount, () => new Child([program, database]));
  const client = new TaskClient(async () => {
    const running = [...servers.running];
    const { ready } = (await running[randomInt(running.length)]?.ready) ?? { ready: 0 };
    return ready;
  });
  let isOver = false;
  const follow = async (): Promise<void> => {
    const names = Object.keys(tools);
    while (!isOver) await client.run(names[randomInt(names.length)] ?? "");
  };
  try {
    const following = Promise.all(Array.from({ length: taskCount }, follow));
    for (let kill = 0; kill < kills; kill++) await servers.killOne(1_000);
    isOver = true;
    if (await Promise.race([following.then(() => false), setTimeout(drainMs, true, { ref: false })]))
      client.problems.push(`some tasks have not ended after ${drainMs} ms`);
    else for (const task of client.tasks) await client.check(task);
    await servers.killAll();
    return outcomeOf(kills, allTasks(store, revision), problemsOf(client, store, audit.read()));
  } finally {
    await servers.killAll();
    audit.close();
    store.close();
    workplace.remove();
  }
}

function problemsOf(client: TaskClient, store: SqliteTaskStore, ends: ReadonlyMap<string, number>): readonly string[] {
  const problems = [...client.problems];
  const stored = new Map(allTasks(store, revision).map((task) => [task.id, task]));
  for (const { id, tool, end } of client.tasks) {
    const task = stored.get(id);
    if (!task) problems.push(`not stored: ${id}`);
    else if (ends.get(id) !== 1) problems.push(`ended ${ends.get(id) ?? 0} times: ${id}`);
    else if (
      task.status === "failed" &&
      (tools[tool] || !(task.error?.message ?? "").includes("process that ran the task has died"))
    )
      problems.push(`failed without a reason: ${id} ${JSON.stringify(end)}`);
    else if (task.status === "completed" && !tools[tool] && task.attempts > 1) problems.push(`restarted: ${id}`);
    else if (task.status === "completed" && !end?.result?.content?.[0]?.text?.includes('"accept"'))
      problems.push(`without its result: ${id} ${JSON.stringify(end)}`);
  }
  return problems;
}
