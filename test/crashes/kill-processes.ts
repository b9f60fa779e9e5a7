import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import Libsql from "libsql";
import { SqliteTaskStore } from "../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { hasEnded, type TaskRecord } from "../../runtime/src/tasks/task-record.js";
import type { Line } from "./lines.js";
import { owners, processDied, unlimited } from "./settings.js";

/** What happened in the test. */
export interface Outcome {
  readonly kills: number;
  readonly created: number;
  readonly claimed: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** What must not happen, in words. */
  readonly problems: readonly string[];
}

/** The processes that run at the same time. */
const processCount = 2;
const drainMs = 60_000;
const modules = join(import.meta.dirname, "../../node_modules");

/**
 * Kills processes that share a store of tasks in SQLite, at random moments, and starts others. Afterwards every task that was
 * created must have ended exactly once.
 */
export async function killProcesses(kills: number): Promise<Outcome> {
  // Below node_modules, where the program finds libsql.
  const folder = join(modules, ".cache", `crashes-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "task-process.mjs");
  const path = join(folder, "tasks.db");
  const lines: Line[] = [];
  const children = new Set<Child>();
  try {
    await build({
      entryPoints: [join(import.meta.dirname, "task-process.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["libsql"],
    });
    const store = new SqliteTaskStore(new Libsql(path), unlimited);
    const audit = auditEnds(path);
    const start = (mode: string): void => void children.add(new Child([program, path, mode], lines));
    for (let at = 0; at < processCount; at++) start("create");
    for (let kill = 0; kill < kills; kill++) {
      const [child] = children;
      if (!child) throw new Error("no process is running");
      await child.ready;
      await setTimeout(randomInt(250));
      children.delete(child);
      await child.kill();
      start(kill < kills - processCount ? "create" : "drain");
    }
    const tasks = await drained(store);
    for (const child of children) await child.kill();
    const outcome = judge(store, tasks, lines, audit.read(), kills);
    audit.close();
    store.close();
    return outcome;
  } finally {
    for (const child of children) await child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Child {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** Resolves when the process has opened the store. */
  readonly ready: Promise<void>;

  constructor(args: readonly string[], lines: Line[]) {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#process = child;
    // After the last line.
    this.#exited = once(child, "close");
    this.ready = new Promise((resolve, reject) => {
      createInterface(child.stdout).on("line", (text) => {
        const line = parse(text);
        if (line) lines.push(line);
        if (line && "ready" in line) resolve();
      });
      child.once("exit", (code, signal) => reject(new Error(`a process ended by itself: ${signal ?? code}`)));
    });
    // Awaited only when the process is chosen.
    this.ready.catch(() => undefined);
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }
}

/** Returns undefined for a line that the process was writing when it was killed. */
function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

/** Lets the database itself count how often each task ends. */
function auditEnds(path: string): { read(): Map<string, number>; close(): void } {
  const database = new Libsql(path);
  database.exec("PRAGMA busy_timeout = 5000");
  database.exec(`
    CREATE TABLE ends (id TEXT NOT NULL);
    CREATE TRIGGER end_of_task AFTER UPDATE ON tasks
    WHEN json_extract(new.record, '$.status') IN ('completed', 'failed', 'cancelled') BEGIN
      INSERT INTO ends VALUES (new.id);
    END`);
  return {
    read() {
      const rows = database.prepare("SELECT id, COUNT(*) AS ends FROM ends GROUP BY id").all();
      return new Map((rows as { readonly id: string; readonly ends: number }[]).map(({ id, ends }) => [id, ends]));
    },
    close: () => database.close(),
  };
}

/** Waits until all tasks have ended, and returns them. */
async function drained(store: SqliteTaskStore): Promise<readonly TaskRecord[]> {
  const end = Date.now() + drainMs;
  for (;;) {
    const tasks = owners.flatMap((owner) => allOf(store, owner));
    if (tasks.every(hasEnded) || Date.now() > end) return tasks;
    await setTimeout(50);
  }
}

function allOf(store: SqliteTaskStore, owner: TaskRecord["owner"]): TaskRecord[] {
  const tasks: TaskRecord[] = [];
  for (let cursor: string | undefined, isLast = false; !isLast;) {
    const page = store.list({ owner, revision: "test", cursor, limit: 200 });
    tasks.push(...page.records);
    cursor = page.nextCursor;
    isLast = cursor === undefined;
  }
  return tasks;
}

function judge(
  store: SqliteTaskStore,
  tasks: readonly TaskRecord[],
  lines: readonly Line[],
  ends: ReadonlyMap<string, number>,
  kills: number,
): Outcome {
  const problems: string[] = [];
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const reported = new Map<string, string>();
  if (byId.size !== tasks.length) problems.push(`${tasks.length - byId.size} tasks are listed twice`);
  for (const line of lines) {
    if ("created" in line) {
      const task = byId.get(line.created);
      if (!task) problems.push(`lost: ${line.created}`);
      else if (JSON.stringify(task.owner) !== JSON.stringify(line.owner)) problems.push(`foreign: ${task.id}`);
      if (store.getRequest(line.created, line.owner)?.params["id"] !== line.created)
        problems.push(`without its request: ${line.created}`);
    } else if ("ended" in line) {
      if (reported.has(line.ended)) problems.push(`reported as ended twice: ${line.ended}`);
      reported.set(line.ended, line.status);
      if (byId.get(line.ended)?.status !== line.status) problems.push(`ended otherwise than reported: ${line.ended}`);
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
  const count = (status: string): number => tasks.filter((task) => task.status === status).length;
  return {
    kills,
    created: tasks.length,
    claimed: lines.filter((line) => "claimed" in line).length,
    completed: count("completed"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    problems,
  };
}
