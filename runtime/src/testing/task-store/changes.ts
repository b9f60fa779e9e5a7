import { changeTask } from "../../tasks/change-task.js";
import type { TaskStatus } from "../../tasks/task-record.js";
import { answerQuestions, askQuestion, endTask } from "../../tasks/task-transitions.js";
import { failureOf, same } from "../suite-checks.js";
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

const texts = ["", "Grüße, 你好, 😀", "a\u0000b\u0001\u2028", "'); DROP TABLE tasks; --", "x".repeat(100_000)];
const final: readonly TaskStatus[] = ["completed", "failed", "cancelled"];

export const changes: readonly TaskStoreBehaviour[] = [
  behaviour("returns a task and its request to its owner", async ({ a, b }) => {
    const task = newTask("t", { statusMessage: "begun", pollIntervalMs: 500, ttlMs: 60_000 });
    await a.create(task, request);
    same("the task", await b.get("t", ada), task);
    same("the request", await b.getRequest("t", ada), request);
    await a.create(newTask("u"));
    same("no request", [await b.get("u", ada), await b.getRequest("u", ada)], [newTask("u"), undefined]);
    await a.delete("u", ada);
    same("an unknown task", [await b.get("u", ada), await b.getRequest("u", ada)], [undefined, undefined]);
  }),

  behaviour("keeps any JSON, also in ids", async ({ a, b }) => {
    for (const text of texts) {
      const members = JSON.parse(`{ "__proto__": [null, -0.5, true, ${JSON.stringify(text)}] }`) as Record<
        string,
        unknown
      >;
      const owner = { issuer: ada.issuer, subject: `s${text}` };
      const task = newTask(`id ${text}`, { owner, statusMessage: text, worker: `w${text}` });
      await a.create(task, { ...request, params: members });
      const after = next(task, { status: "completed", result: members });
      same("whether the task changed", await b.update(after), true);
      same("the task", await a.get(task.id, owner), after);
      same("the request", (await a.getRequest(task.id, owner))?.params, members);
      same("the ids of the list", await idsOf(b, owner), [task.id]);
      same("whether the task was deleted", await b.delete(task.id, owner), true);
    }
  }),

  behaviour("keeps ids apart that differ after a NUL", async ({ a }) => {
    await a.create(newTask("t"), request);
    same("another id", await a.get("t\u0000", ada), undefined);
  }),

  behaviour("is not changed through objects of its callers", async ({ a }) => {
    const task = newTask("t", {
      status: "input_required",
      questions: [{ key: "q1", request: { method: "test/ask" } }],
    });
    const given = structuredClone(task);
    await a.create(given, request);
    (given.questions as unknown[]).pop();
    const got = await a.get("t", ada);
    (got?.questions as unknown[] | undefined)?.pop();
    same("the task", await a.get("t", ada), task);
  }),

  behaviour("hides tasks from all but their owner", async ({ a, b }) => {
    await a.create(newTask("of ada"), request);
    await a.create(newTask("of nobody", { owner: null }), request);
    for (const [id, owners] of [
      ["of ada", [bob, otherAda, null]],
      ["of nobody", [ada, { issuer: "", subject: "" }]],
    ] as const)
      for (const owner of owners) {
        same("a foreign task", await b.get(id, owner), undefined);
        same("a foreign request", await b.getRequest(id, owner), undefined);
        same("a foreign change", await b.update(newTask(id, { owner, version: 2 })), false);
        same("a foreign deletion", await b.delete(id, owner), false);
        same("a foreign list", (await idsOf(b, owner)).includes(id), false);
      }
    same("the task", (await a.get("of ada", ada))?.version, 1);
    same("the task without an owner", (await a.get("of nobody", null))?.version, 1);
  }),

  behaviour("creates an id once", async ({ a, b }) => {
    const tries = [a, b, a, b].map(async (store, at) =>
      failureOf(() => store.create(newTask("t", { attempts: at }), request)),
    );
    const failures = (await Promise.all(tries)).filter((failure) => failure !== undefined);
    same("the failures", failures, ["task-exists", "task-exists", "task-exists"]);
    same(
      "a foreign task of the same id",
      await failureOf(() => a.create(newTask("t", { owner: bob }), request)),
      "task-exists",
    );
  }),

  behaviour("deletes a task once", async ({ a, b }) => {
    await a.create(newTask("t"), request);
    same("whether it was deleted", [await b.delete("t", ada), await a.delete("t", ada)], [true, false]);
    same("the deleted task", [await a.get("t", ada), await a.getRequest("t", ada)], [undefined, undefined]);
    same("a change of it", await a.update(newTask("t", { version: 2 })), false);
    await a.create(newTask("t"), { ...request, params: { to: 4 } });
    same("the request of a new task", (await b.getRequest("t", ada))?.params, { to: 4 });
  }),

  behaviour("changes a task only from its version", async ({ a, b }) => {
    const task = newTask("t");
    await a.create(task, request);
    same("a change from version 1", await b.update(next(task, { statusMessage: "2" })), true);
    for (const version of [1, 2, 4])
      same(`a change to version ${version}`, await a.update({ ...task, version, statusMessage: "no" }), false);
    same("the message", (await a.get("t", ada))?.statusMessage, "2");
  }),

  behaviour("stores one of several changes from the same version", async ({ a, b }) => {
    const task = newTask("t");
    await a.create(task, request);
    const changed = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => (at % 2 ? a : b).update(next(task, { statusMessage: `${at}` }))),
    );
    same("how many were stored", changed.filter(Boolean).length, 1);
    same("the message", (await a.get("t", ada))?.statusMessage, `${changed.indexOf(true)}`);
  }),

  ...final.map((status) =>
    behaviour(`never changes a task that is ${status}`, async ({ a, b }) => {
      const ended = next(newTask("t"), { status });
      await a.create(newTask("t"), request);
      await a.update(ended);
      for (const other of [...final, "working" as const])
        same(`a change to ${other}`, await b.update(next(ended, { status: other })), false);
      same("the task", await b.get("t", ada), ended);
    }),
  ),

  behaviour("ends a task once, when several processes end it", async ({ a, b }) => {
    for (let round = 0; round < 10; round++) {
      const id = `t${round}`;
      await a.create(newTask(id), request);
      const ends = ["completed", "cancelled", "completed", "failed"].map(async (status, at) => {
        const ended = await changeTask(at % 2 ? a : b, { id, owner: ada }, (record) =>
          endTask(record, outcome(status, at), 2_000),
        );
        return [ended?.status, ended?.statusMessage];
      });
      const seen = await Promise.all(ends);
      const stored = await a.get(id, ada);
      same("what the callers got", seen, Array(4).fill([stored?.status, stored?.statusMessage]));
    }
  }),

  behaviour("stores an answer before or not after a cancellation", async ({ a, b }) => {
    for (let round = 0; round < 10; round++) {
      const asked = askQuestion(newTask(`t${round}`), { method: "test/ask" }, 1_000);
      if (!asked) throw new Error("the question was not asked");
      await a.create(asked, request);
      const stores = round % 2 ? [a, b] : [b, a];
      const answered = stores.map(async (store, at) =>
        changeTask(store, { id: asked.id, owner: ada }, (record) =>
          answerQuestions(record, { q1: { from: at } }, 2_000),
        ),
      );
      const cancelled = changeTask(b, asked, (record) => endTask(record, { status: "cancelled" }, 2_000));
      same("the status after the cancellation", (await cancelled)?.status, "cancelled");
      const seen = (await Promise.all(answered)).flatMap(
        (record) => record?.questions.map(({ answer }) => answer) ?? [],
      );
      same("how many answers callers saw", new Set(seen.map((answer) => JSON.stringify(answer))).size <= 1, true);
      same("the last status", (await a.get(asked.id, ada))?.status, "cancelled");
    }
  }),

  behaviour("rejects values that are not JSON, and changes nothing", async ({ a }) => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    if ((await failureOf(() => a.create(newTask("t", { result: circle }), request))) === undefined)
      throw new Error("create accepts a circular result");
    if ((await failureOf(() => a.create(newTask("t"), { ...request, params: circle }))) === undefined)
      throw new Error("create accepts circular params");
    await a.create(newTask("t"), request);
    if ((await failureOf(() => a.update(newTask("t", { version: 2, result: circle })))) === undefined)
      throw new Error("update accepts a circular result");
    same("the version", (await a.get("t", ada))?.version, 1);
  }),
];

function outcome(status: string, at: number): Parameters<typeof endTask>[1] {
  const statusMessage = `${at}`;
  if (status === "completed") return { status, result: {}, statusMessage };
  if (status === "failed") return { status, error: { code: -32_603, message: "no" }, statusMessage };
  return { status: "cancelled", statusMessage };
}
