/** Processes that share a store of tasks, and can hang. */
import { join } from "node:path";
import type { Side } from "@mcpwright/protocol/contract";
import { onTestFinished } from "vitest";
import type { McpServer, McpServerOptions } from "../../../../runtime/src/server.js";
import { MemoryTaskStore, type ServerTasksOptions, type TaskStore } from "../../../../runtime/src/tasks.js";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { databases } from "../../sqlite/open-database.js";
import { present, taskServer } from "./task-servers.js";

const leaseMs = 60;

/** One process after the other, with the same tasks. A process can hang, and then go on. */
interface Machine {
  process(
    register: (server: McpServer) => void,
    options?: ServerTasksOptions,
    more?: Partial<McpServerOptions> & { readonly revisions?: readonly Side[] },
  ): ReturnType<typeof taskServer> & { hang(): void; goOn(): void };
}

export const machines: readonly { readonly name: string; readonly open: () => Machine }[] = [
  {
    name: "a store of several processes in memory",
    open() {
      const store = new MemoryTaskStore();
      return machine(() => store);
    },
  },
  {
    name: "SqliteTaskStore",
    open() {
      const path = join(temporaryFolder("tasks"), "tasks.db");
      const [, openDatabase] = present(databases[0]);
      return machine(() => {
        const store = new SqliteTaskStore(openDatabase(path), { pollIntervalMs: 10 });
        onTestFinished(() => store.close());
        return store;
      });
    },
  },
];

function machine(openStore: () => TaskStore): Machine {
  return {
    process(register, options, more) {
      const { store, ...control } = process(openStore());
      const made = taskServer({ leaseMs, ...options, store }, more);
      // Before the server closes, which uses the store.
      onTestFinished(control.goOn);
      register(made.server);
      return { ...made, ...control };
    },
  };
}

/** The store as one process sees it. While it hangs, its calls do not happen. */
function process(store: TaskStore) {
  let isHanging = false;
  const waiting: (() => void)[] = [];
  const methods = store as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const call = (name: Exclude<keyof TaskStore, "subscribe">) =>
    (async (...args: unknown[]): Promise<unknown> => {
      while (isHanging) await new Promise<void>((resolve) => waiting.push(resolve));
      return methods[name]?.(...args);
    }) as never;
  const seen: TaskStore = {
    create: call("create"),
    get: call("get"),
    getRequest: call("getRequest"),
    update: call("update"),
    delete: call("delete"),
    list: call("list"),
    heartbeat: call("heartbeat"),
    retire: call("retire"),
    claimAbandoned: call("claimAbandoned"),
    subscribe: (listener) => store.subscribe((id) => !isHanging && listener(id)),
  };
  const goOn = (): void => {
    isHanging = false;
    for (const wake of waiting.splice(0)) wake();
  };
  return { store: seen, hang: () => void (isHanging = true), goOn };
}
