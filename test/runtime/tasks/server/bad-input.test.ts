/** Bad input, in both generations of tasks and with both stores. */
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryTaskStore, type TaskStore } from "../../../../runtime/src/tasks.js";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { databases } from "../../sqlite/open-database.js";
import { ada, otherAda } from "../new-task.js";
import {
  accept,
  eventually,
  form,
  gate,
  httpEndpoint,
  modernClient,
  type ModernClient,
  present,
  type SessionClient,
  sessionClient,
  taskServer,
  type TaskServer,
  text,
} from "./task-servers.js";

type Client = ModernClient | SessionClient;

const R4 = "2025-11-25";
const R5 = "2026-07-28";
const unknownTask = { code: -32602, message: expect.stringMatching(/there is no task/) as unknown };

const [, openDatabase] = present(databases[0]);
const newPath = (): string => join(temporaryFolder("tasks"), "tasks.db");

function sqliteStore(path = newPath(), busyTimeoutMs = 5_000): TaskStore {
  const store = new SqliteTaskStore(openDatabase(path), { pollIntervalMs: 10, busyTimeoutMs });
  onTestFinished(() => store.close());
  return store;
}

const stores: readonly (readonly [name: string, open: () => TaskStore])[] = [
  ["MemoryTaskStore", () => new MemoryTaskStore()],
  ["SqliteTaskStore", () => sqliteStore()],
];
const cases = stores.flatMap(([name, open]) => [R4, R5].map((revision) => [revision, name, open] as const));

const connect = (made: TaskServer, revision: string): Promise<Client> =>
  revision === R5 ? modernClient(made) : sessionClient(made);

/** The methods of a generation that name a task, with their params. */
const requests = (revision: string): readonly (readonly [string, object])[] => [
  ["tasks/get", {}],
  ["tasks/cancel", {}],
  revision === R5 ? ["tasks/update", { inputResponses: { q1: accept("x") } }] : ["tasks/result", {}],
];

afterEach(() => vi.restoreAllMocks());

/** A server with tools that wait, ask, and return, and a client of it. */
async function serve(revision: string, store: TaskStore) {
  const made = taskServer({ store });
  const { passed, open } = gate();
  made.server.registerTool("wait", { task: "optional" }, () => passed.then(() => text("waited")));
  made.server.registerTool("quick", { task: "optional" }, () => text("quick"));
  made.server.registerTool("ask", { task: "optional" }, async (context) =>
    text(String((await context.elicit("x", form("X?"))).content?.["value"])),
  );
  made.server.registerTool("short", { task: { support: "optional", ttlMs: 30 } }, () =>
    passed.then(() => text("late")),
  );
  return { ...made, client: await connect(made, revision), finish: open };
}

/** The outcome of a task that has ended: its status, and its result or error. */
async function outcomeOf(client: Client, revision: string, taskId: string): Promise<unknown> {
  const { status, result, error, lastUpdatedAt } = await client.get(taskId);
  if (revision === R5) return { status, result, error, lastUpdatedAt };
  const answer = await client.ask("tasks/result", { taskId });
  return { status, result: answer.result, error: answer.error, lastUpdatedAt };
}

describe.each(cases)("tasks of %s in a %s", (revision, _name, open) => {
  test.each([
    ["unknown", "x"],
    ["empty", ""],
    ["the name of a member of all objects", "__proto__"],
    ["long", "x".repeat(100_000)],
    ["with a character that ends texts", "x\0y"],
    ["half of a character", "\ud800"],
    ["a pattern", "%"],
    ["a query", "' OR 1=1 --"],
  ])("an id that is %s is one of no task", async (_, taskId) => {
    const { client, errors } = await serve(revision, open());
    await client.start("quick");
    for (const [method, more] of requests(revision))
      expect((await client.ask(method, { taskId, ...more })).error).toMatchObject(unknownTask);
    expect(errors).toEqual([]);
  });

  test.each([
    ["a number", 1],
    ["null", null],
    ["an object", {}],
    ["missing", undefined],
  ])("an id that is %s is invalid", async (_, taskId) => {
    const { client } = await serve(revision, open());
    for (const [method, more] of requests(revision))
      expect((await client.ask(method, { taskId, ...more })).error?.code).toBe(-32602);
  });

  test("a foreign task is one that does not exist", async () => {
    const made = await serve(revision, open());
    const http = httpEndpoint(made);
    const ask = async (principal: typeof ada) => {
      if (revision === R4) return http.session(principal);
      return (method: string, params: object) =>
        http.ask(method, params, {
          principal,
          ...("name" in params && { headers: { "mcp-name": String(params.name) } }),
        });
    };
    const created = await (await ask(ada))("tools/call", { name: "ask", ...(revision === R4 && { task: {} }) });
    const { taskId } = (revision === R4 ? created.result?.["task"] : created.result) as { taskId: string };
    const [own, foreign] = [await ask(ada), await ask(otherAda)];
    for (const [method, more] of requests(revision))
      expect((await foreign(method, { taskId, ...more })).error).toMatchObject(unknownTask);
    await eventually(async () =>
      expect((await own("tasks/get", { taskId })).result).toMatchObject({ status: "input_required" }),
    );
  });

  test("an expired task is one that does not exist, and what waits for it ends", async () => {
    const { client, finish, errors } = await serve(revision, open());
    const { taskId } = await client.start("short");
    const waiting = revision === R4 ? client.ask("tasks/result", { taskId }) : undefined;
    await eventually(async () => expect((await client.ask("tasks/get", { taskId })).error).toMatchObject(unknownTask));
    if (waiting) expect((await waiting).error?.code).toBe(-32602);
    for (const [method, more] of requests(revision))
      expect((await client.ask(method, { taskId, ...more })).error).toMatchObject(unknownTask);
    finish();
    await client.get((await client.start("quick")).taskId);
    expect(errors).toEqual([]);
  });

  test("an answer to nothing, a second one and one after the end change nothing", async () => {
    const { client } = await serve(revision, open());
    const { taskId } = await client.start("ask");
    await client.reaches(taskId, "input_required");
    if (revision === R5) {
      const answer = (inputResponses: object) => client.ask("tasks/update", { taskId, inputResponses });
      for (const nothing of [{}, { q9: accept("x") }, { __proto__: null, constructor: accept("x") }])
        expect((await answer(nothing)).result).toMatchObject({ resultType: "complete" });
      expect((await client.get(taskId)).status).toBe("input_required");
      await answer({ q1: accept("first") });
      await answer({ q1: accept("second") });
      await client.reaches(taskId, "completed");
      expect((await answer({ q1: accept("third") })).result).toMatchObject({ resultType: "complete" });
    } else {
      const { id } = await client.next("elicitation/create");
      client.send({ id: "nothing", result: accept("x") });
      client.send({ id, result: accept("first") });
      client.send({ id, result: accept("second") });
      await client.reaches(taskId, "completed");
      client.send({ id, result: accept("third") });
    }
    expect(await outcomeOf(client, revision, taskId)).toMatchObject({ status: "completed", result: text("first") });
  });

  test.each(["its end", "an answer", "its expiry"])(
    "a cancellation that races with %s has one outcome",
    async (what) => {
      for (let round = 0; round < 8; round++) {
        const { client, finish, errors } = await serve(revision, open());
        const name = what === "an answer" ? "ask" : what === "its end" ? "wait" : "short";
        const { taskId } = await client.start(name);
        if (name === "ask") await client.reaches(taskId, "input_required");
        const answer = async (): Promise<unknown> => {
          if (revision === R5) return client.ask("tasks/update", { taskId, inputResponses: { q1: accept("yes") } });
          const { id } = await client.next("elicitation/create");
          client.send({ id, result: accept("yes") });
          return client.get(taskId);
        };
        const other = async (): Promise<unknown> => {
          if (what === "an answer") return answer();
          if (what === "its end") finish();
          return undefined;
        };
        const cancel = async (): Promise<unknown> => {
          if (what === "its expiry") await new Promise((resolve) => setTimeout(resolve, 26 + round));
          return client.ask("tasks/cancel", { taskId });
        };
        await Promise.all(round % 2 === 0 ? [cancel(), other()] : [other(), cancel()]);
        if (what === "its expiry") {
          await eventually(async () =>
            expect((await client.ask("tasks/get", { taskId })).error).toMatchObject(unknownTask),
          );
          continue;
        }
        await eventually(async () => expect(["completed", "cancelled"]).toContain((await client.get(taskId)).status));
        const outcome = await outcomeOf(client, revision, taskId);
        await client.ask("tasks/cancel", { taskId });
        finish();
        await new Promise((resolve) => setTimeout(resolve, 2));
        expect(await outcomeOf(client, revision, taskId)).toEqual(outcome);
        // A response to a question that was cancelled is reported.
        if (what === "its end") expect(errors).toEqual([]);
      }
    },
  );

  test("jumps of the system's clock end no task, and its times never go back", async () => {
    const { client, finish } = await serve(revision, open());
    const now = Date.now();
    const { taskId } = await client.start("wait");
    const { taskId: asking } = await client.start("ask");
    const first = await client.reaches(asking, "input_required");
    vi.spyOn(Date, "now").mockReturnValue(now + 86_400_000);
    expect((await client.get(taskId)).status).toBe("working");
    const { taskId: later } = await client.start("wait");
    vi.spyOn(Date, "now").mockReturnValue(now - 86_400_000);
    await client.ask("tasks/cancel", { taskId: asking });
    finish();
    for (const id of [taskId, later]) await client.reaches(id, "completed");
    const last = await client.get(asking);
    expect(Date.parse(String(last["lastUpdatedAt"]))).toBeGreaterThan(Date.parse(String(first["lastUpdatedAt"])));
    expect(last["createdAt"]).toBe(first["createdAt"]);
  });

  test("a result of a kind that the schema does not know fails the task, and is reported", async () => {
    const { client, server, errors } = await serve(revision, open());
    for (const [name, result] of [
      ["no-object", "text"],
      ["no-content", { content: "text" }],
      ["unknown-kind", { resultType: "com.example/other", content: [] }],
    ] as const) {
      server.registerTool(name, { task: "optional" }, (() => result) as never);
      errors.length = 0;
      const { taskId } = await client.start(name);
      const plain = revision === R5 ? await (await modernClient({ server }, {})).call(name) : await client.call(name);
      await eventually(async () => expect(["completed", "failed"]).toContain((await client.get(taskId)).status));
      // As the plain call does.
      expect(await outcomeOf(client, revision, taskId)).toMatchObject(
        plain.error ? { status: "failed", error: plain.error } : { status: "completed" },
      );
      expect(errors).toHaveLength(plain.error ? 2 : errors.length);
    }
  });
});

describe.each([R4, R5])("a database in trouble, and tasks of %s", (revision) => {
  const unavailable = { code: -32603, message: expect.stringMatching(/not available at the moment/) as unknown };

  /** The error of a call that would create a task. */
  const errorOf = async (client: Client): Promise<unknown> =>
    (await client.call("quick", undefined, revision === R4 ? { task: {} } : {})).error;

  test("that is locked by another program: calls get an error, and succeed later", async () => {
    const path = newPath();
    const { client, server, errors } = await serve(revision, sqliteStore(path, 30));
    server.registerTool("plain", {}, () => text("plain"));
    const { taskId } = await client.start("quick");
    await client.reaches(taskId, "completed");
    const other = openDatabase(path);
    other.exec("BEGIN IMMEDIATE");
    expect(await errorOf(client)).toMatchObject(unavailable);
    expect((await client.call("plain")).result).toMatchObject(text("plain"));
    expect((await client.get(taskId)).status).toBe("completed");
    expect(errors[0]).toMatchObject({ reason: "busy" });
    other.exec("ROLLBACK");
    other.close();
    await client.reaches((await client.start("quick")).taskId, "completed");
  });

  test("that becomes read-only: tasks can be read, and calls get an error", async () => {
    const database = openDatabase(newPath());
    const store = new SqliteTaskStore(database, { pollIntervalMs: 10 });
    onTestFinished(() => store.close());
    const { client, errors } = await serve(revision, store);
    const { taskId } = await client.start("quick");
    await client.reaches(taskId, "completed");
    const { taskId: waiting } = await client.start("wait");
    database.exec("PRAGMA query_only = ON");
    expect(await errorOf(client)).toMatchObject(unavailable);
    expect((await client.ask("tasks/cancel", { taskId: waiting })).error).toMatchObject(unavailable);
    expect((await client.get(taskId)).status).toBe("completed");
    expect((await client.get(waiting)).status).toBe("working");
    expect(errors.every((error) => (error as { reason?: string }).reason === "read-only")).toBe(true);
    database.exec("PRAGMA query_only = OFF");
    await client.ask("tasks/cancel", { taskId: waiting });
    await client.reaches(waiting, "cancelled");
  });

  test("that was closed behind the store: calls get an error, and tools without tasks run", async () => {
    const database = openDatabase(newPath());
    const store = new SqliteTaskStore(database, { pollIntervalMs: 10 });
    const { client, server, errors } = await serve(revision, store);
    server.registerTool("plain", {}, () => text("plain"));
    const { taskId } = await client.start("quick");
    await client.reaches(taskId, "completed");
    const { taskId: waiting } = await client.start("wait");
    database.close();
    expect(await errorOf(client)).toMatchObject(unavailable);
    expect((await client.ask("tasks/cancel", { taskId: waiting })).error).toMatchObject(unavailable);
    expect((await client.call("plain")).result).toMatchObject(text("plain"));
    expect(errors.length).toBeGreaterThan(0);
  });
});
