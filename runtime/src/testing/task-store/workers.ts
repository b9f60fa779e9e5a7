import type { TaskRecord } from "../../tasks/task-record.js";
import type { TaskStore } from "../../tasks/task-store.js";
import { same, sleep } from "../suite-checks.js";
import { startLife, timed } from "../timed-behaviour.js";
import { ada, behaviour, newTask, next, request, type TaskStoreBehaviour } from "./task-store-behaviour.js";

/** How long dead workers count as alive, in milliseconds. */
const leaseMs = 300;
/** How long a claim may take, in leases. */
const patience = 20;

export const workers: readonly TaskStoreBehaviour[] = [
  behaviour("lets others claim the tasks of a worker that has retired", async ({ a, b }) => {
    await a.heartbeat("worker 1", 60_000);
    await b.heartbeat("worker 2", 60_000);
    const task = newTask("t", { statusMessage: "half done" });
    await a.create(task, request);
    same("claims before", await b.claimAbandoned("worker 2", 10), []);
    await a.retire("worker 1");
    same("claims after", await b.claimAbandoned("worker 2", 10), [next(task, { worker: "worker 2", attempts: 2 })]);
    same("the task", await a.get("t", ada), next(task, { worker: "worker 2", attempts: 2 }));
    same("a change by the old worker", await a.update(next(task, { status: "completed", result: {} })), false);
    same("claims of the new one", await a.claimAbandoned("worker 3", 10), []);
  }),

  behaviour("lets others claim the tasks of a worker without a heartbeat", async ({ a, b }) => {
    await a.create(newTask("t"), request);
    same("its own claims", await a.claimAbandoned("worker 1", 10), []);
    same("claims of another", (await b.claimAbandoned("worker 2", 10)).length, 1);
  }),

  timed((lifeMs) =>
    behaviour("keeps the tasks of living workers", async ({ a, b }) => {
      await a.heartbeat("worker 1", lifeMs);
      await a.create(newTask("t"), request);
      for (let at = 0; at < 12; at++) {
        await sleep(lifeMs / 6);
        const assertInTime = startLife(lifeMs);
        await a.heartbeat("worker 1", lifeMs);
        const claimed = await b.claimAbandoned("worker 2", 10);
        assertInTime();
        same("claims", claimed, []);
      }
    }),
  ),

  behaviour("lets others claim the tasks of a worker whose lease has passed", async ({ a, b }) => {
    const start = performance.now();
    await a.heartbeat("worker 1", leaseMs);
    await a.create(newTask("t"), request);
    same(
      "the claims",
      (await claim(b, "worker 2", 1)).map(({ id }) => id),
      ["t"],
    );
    if (performance.now() - start < leaseMs / 2) throw new Error("the task was claimed before the lease had passed");
  }),

  behaviour("gives each abandoned task to one of several workers", async ({ a, b }) => {
    for (let at = 0; at < 60; at++) await a.create(newTask(`${at}`, { restartable: at % 2 === 0 }), request);
    const stores = [a, b, a, b, a, b];
    const claims = await Promise.all(
      stores.map(async (store, at) => {
        const worker = `claimer ${at}`;
        await store.heartbeat(worker, 60_000);
        const claimed: TaskRecord[] = [];
        for (let round = 0; round < 5; round++) claimed.push(...(await store.claimAbandoned(worker, 10)));
        return claimed.map((task) => [task.id, task.worker, task.attempts, worker]);
      }),
    );
    same("how many were claimed", claims.flat().length, 60);
    same("how many different ones", new Set(claims.flat().map(([id]) => id)).size, 60);
    for (const [id = "", worker, attempts, claimer] of claims.flat() as [string, string, number, string][]) {
      same("the worker of a claimed task", [worker, attempts], [claimer, 2]);
      same("the worker", (await b.get(id, ada))?.worker, claimer);
    }
  }),

  behaviour("claims the oldest tasks first, and none that have ended", async ({ a, b }) => {
    await b.heartbeat("worker 9", 60_000);
    for (let at = 0; at < 6; at++) await a.create(newTask(`${at}`, { worker: `worker ${at % 3}` }), request);
    await a.update(next(newTask("1", { worker: "worker 1" }), { status: "failed" }));
    same(
      "the first two",
      (await b.claimAbandoned("worker 9", 2)).map(({ id }) => id),
      ["0", "2"],
    );
    same(
      "the others",
      (await b.claimAbandoned("worker 9", 10)).map(({ id }) => id),
      ["3", "4", "5"],
    );
    same("no more", await b.claimAbandoned("worker 9", 10), []);
  }),

  behaviour("lets a worker come back", async ({ a, b }) => {
    await a.heartbeat("worker 1", leaseMs);
    await a.create(newTask("1"), request);
    await claim(b, "worker 2", 1);
    await b.heartbeat("worker 2", 60_000);
    await a.heartbeat("worker 1", 60_000);
    await a.create(newTask("2"), request);
    for (let at = 0; at < 6; at++) {
      await sleep(leaseMs / 6);
      same("claims", await b.claimAbandoned("worker 2", 10), []);
    }
  }),
];

/** Looks for abandoned tasks until there are some. */
async function claim(store: TaskStore, worker: string, limit: number): Promise<readonly TaskRecord[]> {
  const end = performance.now() + patience * leaseMs;
  while (performance.now() < end) {
    const claimed = await store.claimAbandoned(worker, limit);
    if (claimed.length > 0) return claimed;
    await sleep(leaseMs / 10);
  }
  throw new Error(`no task was claimed within ${patience} leases`);
}
