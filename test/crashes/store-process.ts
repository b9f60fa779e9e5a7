/**
 * A process of the crash test: creates tasks, runs them, and claims those of dead processes, until it is killed. With `drain`, it
 * creates no tasks. It writes a line for each call that has resolved.
 */
import { randomBytes, randomInt } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import Libsql from "libsql";
import { changeTask } from "../../runtime/src/tasks/change-task.js";
import { SqliteTaskStore } from "../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { hasEnded, type TaskRecord } from "../../runtime/src/tasks/task-record.js";
import { answerQuestions, askQuestion, endTask, type TaskOutcome } from "../../runtime/src/tasks/task-transitions.js";
import type { Line } from "./lines.js";
import type { Ready } from "./processes.js";
import { leaseMs, owners, processDied, unlimited } from "./settings.js";

const [path = "", mode = ""] = process.argv.slice(2);
const worker = randomBytes(16).toString("hex");
const store = new SqliteTaskStore(new Libsql(path), { ...unlimited, pollIntervalMs: 50 });
const running = new Set<string>();

function report(line: Line | Ready): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Changes a task that this process runs; undefined when it has ended, or another process has claimed it. */
async function change(
  task: TaskRecord,
  apply: (record: TaskRecord) => TaskRecord | undefined,
): Promise<TaskRecord | undefined> {
  const mine = (record: TaskRecord): boolean => record.worker === worker && record.attempts === task.attempts;
  const after = await changeTask(store, task, (record) => (mine(record) ? apply(record) : undefined));
  return after && mine(after) ? after : undefined;
}

async function end(task: TaskRecord, outcome: TaskOutcome): Promise<void> {
  const ended = await change(task, (record) => endTask(record, outcome, Date.now()));
  if (ended?.status === outcome.status) report({ ended: task.id, status: ended.status });
}

/** Runs a task that asks a question; a client answers it, or cancels the task meanwhile. */
async function run(task: TaskRecord): Promise<void> {
  running.add(task.id);
  const asked = await change(task, (record) => askQuestion(record, { method: "test/ask" }, Date.now()));
  await setTimeout(randomInt(10));
  if (asked && !hasEnded(asked)) {
    const key = asked.questions.at(-1)?.key ?? "";
    const client = { id: task.id, owner: task.owner };
    await Promise.all([
      changeTask(store, client, (record) => answerQuestions(record, { [key]: { by: worker } }, Date.now())),
      ...(randomInt(4) === 0 ? [cancel(client)] : []),
    ]);
    await setTimeout(randomInt(10));
    await end(task, { status: "completed", result: { attempt: task.attempts, worker } });
  }
  running.delete(task.id);
}

async function cancel(task: Pick<TaskRecord, "id" | "owner">): Promise<void> {
  const ended = await changeTask(store, task, (record) => endTask(record, { status: "cancelled" }, Date.now()));
  if (ended?.status === "cancelled") report({ ended: task.id, status: ended.status });
}

async function claim(): Promise<void> {
  await store.heartbeat(worker, leaseMs);
  for (const task of await store.claimAbandoned(worker, 100)) {
    if (task.restartable) void run(task);
    else void end(task, { status: "failed", error: { code: -32_603, message: processDied } });
  }
}

async function create(): Promise<void> {
  const task: TaskRecord = {
    id: randomBytes(16).toString("hex"),
    version: 1,
    owner: owners[randomInt(owners.length)] ?? null,
    revision: "test",
    status: "working",
    createdAt: Date.now(),
    lastUpdatedAt: Date.now(),
    ttlMs: null,
    questions: [],
    worker,
    restartable: randomInt(2) === 0,
    attempts: 1,
  };
  await store.create(task, { method: "test/count", params: { id: task.id }, clientCapabilities: {} });
  report({ created: task.id, owner: task.owner });
  await run(task);
}

await claim();
report({ ready: 0 });
for (;;) {
  if (mode !== "drain") for (let at = 0; at < 5; at++) void create();
  if (randomInt(10) === 0 || mode === "drain") await claim();
  await setTimeout(randomInt(15));
}
