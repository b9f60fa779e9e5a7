import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks/store/memory-task-store.js";
import { taskStoreBehaviours } from "../../../../runtime/src/testing/task-store-suite.js";
import type { TaskStoreHarness } from "../../../../runtime/src/testing/task-store/task-store-behaviour.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { databases } from "../../sqlite/open-database.js";

const harnesses: readonly TaskStoreHarness[] = [
  {
    name: "MemoryTaskStore",
    open: (limits) => ({ store: new MemoryTaskStore(limits), close: () => undefined }),
  },
  ...databases.map(([name, openDatabase]) => ({
    name: `SqliteTaskStore on ${name}`,
    open(limits: object) {
      const path = join(temporaryFolder("tasks"), "tasks.db");
      const opened: SqliteTaskStore[] = [];
      const another = (): SqliteTaskStore => {
        const store = new SqliteTaskStore(openDatabase(path), { ...limits, pollIntervalMs: 20 });
        opened.push(store);
        return store;
      };
      return { store: another(), another, close: () => opened.forEach((store) => store.close()) };
    },
  })),
];

describe.each(harnesses)("$name", (harness) => {
  it.concurrent.each(taskStoreBehaviours)("$name", ({ run }) => run(harness));
});

describe("taskStoreBehaviours", () => {
  const brokenStores: readonly (readonly [string, (store: MemoryTaskStore) => void, RegExp])[] = [
    [
      "forgets the owner",
      (store) => (store.get = (id) => new MemoryTaskStore().get(id, null)),
      /returns a task and its request to its owner/,
    ],
    ["ignores versions", (store) => (store.update = () => true), /changes a task only from its version/],
    [
      "claims nothing",
      (store) => (store.claimAbandoned = () => []),
      /lets others claim the tasks of a worker that has retired/,
    ],
  ];

  it.each(brokenStores)("finds a store that %s", async (_name, breakStore, expected) => {
    const failures: string[] = [];
    const open = (limits: object) => {
      const store = new MemoryTaskStore(limits);
      breakStore(store);
      return { store, close: () => undefined };
    };
    for (const { run } of taskStoreBehaviours.filter(({ name }) => expected.test(name)))
      await run({ name: "broken", open }).catch((error: unknown) => failures.push(String(error)));
    expect(failures).toEqual([expect.stringMatching(expected)]);
    expect(failures[0]).toMatch(/^Error: broken: /);
  });
});
