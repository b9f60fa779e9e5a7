import { failureOf, same, sleep, until } from "../suite-checks.js";
import { startLife, timed } from "../timed-behaviour.js";
import {
  ada,
  behaviour,
  bob,
  idsOf,
  newTask,
  next,
  otherAda,
  request,
  type TaskStoreBehaviour,
} from "./task-store-behaviour.js";

const shortMs = 300;

/** Limits, expiry and lists. */
export const lives: readonly TaskStoreBehaviour[] = [
  behaviour(
    "limits the tasks of a principal",
    async ({ a, b }) => {
      for (const id of ["1", "2"]) await a.create(newTask(id), request);
      same("one more", await failureOf(() => b.create(newTask("3"), request)), "too-many-tasks-of-owner");
      same("the rejected task", await b.get("3", ada), undefined);
      await b.create(newTask("4", { owner: otherAda }), request);
      await a.update(next(newTask("1"), { status: "completed", result: {} }));
      same("one more after an end", await failureOf(() => a.create(newTask("3"), request)), "too-many-tasks-of-owner");
      await a.delete("1", ada);
      await b.create(newTask("3"), request);
    },
    { maxTasks: 300, maxTasksPerOwner: 2 },
  ),

  behaviour(
    "limits all tasks, and tasks without an owner only so",
    async ({ a, b }) => {
      for (const id of ["1", "2", "3"]) await a.create(newTask(id, { owner: null }), request);
      await b.create(newTask("4"), request);
      same("one more", await failureOf(() => a.create(newTask("5", { owner: null }), request)), "too-many-tasks");
      same("one more of bob", await failureOf(() => b.create(newTask("5", { owner: bob }), request)), "too-many-tasks");
      await b.delete("1", null);
      await a.create(newTask("5", { owner: bob }), request);
    },
    { maxTasks: 4, maxTasksPerOwner: 2 },
  ),

  behaviour(
    "keeps its limits when several processes create tasks",
    async ({ a, b }) => {
      const failures = await Promise.all(
        Array.from({ length: 30 }, async (_, at) =>
          failureOf(() => (at % 2 ? a : b).create(newTask(`${at}`), request)),
        ),
      );
      same("how many were created", failures.filter((failure) => failure === undefined).length, 7);
      same("how many are listed", (await idsOf(a, ada)).length, 7);
    },
    { maxTasks: 300, maxTasksPerOwner: 7 },
  ),

  behaviour(
    "makes room when tasks expire",
    async ({ a, b }) => {
      for (const id of ["1", "2"]) await a.create(newTask(id, { ttlMs: shortMs }), request);
      await sleep(shortMs + 20);
      for (const id of ["3", "4"]) await b.create(newTask(id), request);
    },
    { maxTasks: 2, maxTasksPerOwner: 2 },
  ),

  timed((lifeMs) =>
    behaviour("ends tasks at their time, for all calls", async ({ a, b }) => {
      const assertInTime = startLife(lifeMs);
      for (const status of ["working", "input_required", "completed"] as const)
        await a.create(newTask(status, { status, ttlMs: lifeMs }), request);
      await a.create(newTask("later", { ttlMs: 60_000 }), request);
      await a.create(newTask("never"), request);
      const before = await idsOf(b, ada);
      assertInTime();
      same("how many are listed before", before.length, 5);
      await sleep(lifeMs + 20);
      for (const store of [b, a]) {
        same("the expired task", await store.get("working", ada), undefined);
        same("its request", await store.getRequest("completed", ada), undefined);
        same("a change of it", await store.update(newTask("input_required", { version: 2 })), false);
        same("a deletion of it", await store.delete("input_required", ada), false);
        same("what is listed after", await idsOf(store, ada), ["later", "never"]);
      }
      const claimed = await a.claimAbandoned("worker 2", 10);
      same(
        "what can be claimed",
        claimed.map(({ id }) => id),
        ["later", "never"],
      );
    }),
  ),

  timed((lifeMs) =>
    behaviour("measures a changed life from the creation", async ({ a, b }) => {
      const assertInTime = startLife(lifeMs);
      const longer = newTask("longer", { ttlMs: lifeMs });
      const endless = newTask("endless", { ttlMs: lifeMs });
      const shorter = newTask("shorter", { ttlMs: 60_000 });
      for (const task of [longer, endless, shorter]) await a.create(task, request);
      await sleep(50);
      const changed = [
        await b.update(next(longer, { ttlMs: 60_000 })),
        await b.update(next(endless, { ttlMs: null })),
        await b.update(next(shorter, { ttlMs: 20 })),
      ];
      assertInTime();
      same("what was changed", changed, [true, true, true]);
      same("the task whose life is over", await a.get("shorter", ada), undefined);
      await sleep(lifeMs);
      same("what is left", (await idsOf(a, ada)).sort(), ["endless", "longer"]);
    }),
  ),

  behaviour("lists the tasks of an owner and a revision in the order of their creation", async ({ a, b }) => {
    same("an empty list", await a.list({ owner: ada, revision: "test", cursor: undefined, limit: 5 }), { records: [] });
    for (let at = 0; at < 7; at++) await (at % 2 ? a : b).create(newTask(`${9 - at}`), request);
    await a.create(newTask("other revision", { revision: "test 2" }), request);
    await a.create(newTask("of bob", { owner: bob }), request);
    await a.create(newTask("of nobody", { owner: null }), request);
    await b.update(next(newTask("9")));
    same("all", await idsOf(a, ada), ["9", "8", "7", "6", "5", "4", "3"]);
    same("the other revision", await idsOf(b, ada, "test 2"), ["other revision"]);
    same("of nobody", await idsOf(b, null), ["of nobody"]);
  }),

  behaviour("pages through lists that change", async ({ a, b }) => {
    for (let at = 0; at < 5; at++) await a.create(newTask(`${at}`), request);
    const query = { owner: ada, revision: "test", limit: 2 };
    const first = await a.list({ ...query, cursor: undefined });
    same(
      "the first page",
      first.records.map(({ id }) => id),
      ["0", "1"],
    );
    for (const id of ["0", "1", "2"]) await b.delete(id, ada);
    await b.create(newTask("5"), request);
    const second = await b.list({ ...query, cursor: first.nextCursor });
    same(
      "the second page",
      second.records.map(({ id }) => id),
      ["3", "4"],
    );
    const third = await a.list({ ...query, cursor: second.nextCursor });
    same("the third page", [third.records.map(({ id }) => id), third.nextCursor], [["5"], undefined]);
  }),

  behaviour("has no cursor after a last page that is full", async ({ a }) => {
    for (const id of ["1", "2"]) await a.create(newTask(id), request);
    const page = await a.list({ owner: ada, revision: "test", cursor: undefined, limit: 2 });
    same("the page", [page.records.length, page.nextCursor], [2, undefined]);
  }),

  behaviour("rejects cursors that it did not create", async ({ a }) => {
    for (const cursor of ["", "x y", "-1", "9".repeat(40), "%00", "\u0000", "ZZ"])
      same(
        `the cursor ${cursor}`,
        await failureOf(() => a.list({ owner: ada, revision: "test", cursor, limit: 2 })),
        "invalid-cursor",
      );
  }),

  behaviour("calls its subscribers for each change", async ({ a, b }) => {
    const seen: string[] = [];
    const other: string[] = [];
    const unsubscribe = a.subscribe((id) => void seen.push(id));
    b.subscribe((id) => void other.push(id));
    await a.create(newTask("1"), request);
    await a.update(next(newTask("1")));
    await a.update(next(newTask("1")));
    await failureOf(() => a.create(newTask("1"), request));
    same("the changes", seen, ["1", "1"]);
    await until("the change arrives elsewhere", () => other.includes("1"));
    await b.create(newTask("2"), request);
    await until("the change arrives here", () => seen.includes("2"));
    await a.create(newTask("3", { ttlMs: 50 }), request);
    await until(
      "the expiry arrives",
      () => seen.filter((id) => id === "3").length >= 2 || other.filter((id) => id === "3").length >= 2,
    );
    unsubscribe();
    const before = seen.length;
    await a.delete("1", ada);
    same("changes after the end of the subscription", seen.length, before);
  }),
];
