import { describe, expect, test } from "vitest";
import {
  MemoryTaskStore,
  taskOf,
  TaskStoreError,
  type TaskStore,
  type TaskStoreFailure,
} from "../../../../runtime/src/tasks.js";
import { ada } from "../new-task.js";
import {
  accept,
  eventually,
  form,
  gate,
  httpEndpoint,
  modernClient,
  present,
  sessionClient,
  taskServer,
  text,
} from "./task-servers.js";

const reasons: readonly TaskStoreFailure[] = [
  "too-many-tasks",
  "too-many-tasks-of-owner",
  "task-exists",
  "conflict",
  "full",
  "read-only",
  "corrupt",
  "busy",
  "closed",
  "unavailable",
  "wrong-schema",
  "unreadable",
  "unknown",
];

const messages: Partial<Record<TaskStoreFailure, RegExp>> = {
  "too-many-tasks": /too many tasks; try again later/,
  "too-many-tasks-of-owner": /You have too many tasks/,
};

/** A store of which one method fails while a failure is set. */
function breakable(method: keyof TaskStore & ("create" | "get" | "update" | "heartbeat" | "retire" | "list")) {
  const store = new MemoryTaskStore();
  const works = store[method].bind(store) as (...args: unknown[]) => unknown;
  const broken: { failure?: Error | undefined; calls: number } = { calls: 0 };
  Object.assign(store, {
    [method]: (...args: unknown[]) => {
      broken.calls++;
      if (broken.failure) throw broken.failure;
      return works(...args);
    },
  });
  return { store, broken };
}

const failureOf = (reason: TaskStoreFailure): Error => new TaskStoreError(reason, `secret path: ${reason}`);
const unavailable = /Tasks are not available at the moment/;

describe("a store that fails", () => {
  test.each(reasons)("to create: %s", async (reason) => {
    const { store, broken } = breakable("create");
    const made = taskServer({ store });
    let runs = 0;
    made.server.registerTool("work", { task: "optional" }, () => text(String(++runs)));
    const client = await modernClient(made);
    broken.failure = failureOf(reason);
    const { error } = await client.call("work");
    expect(error?.code).toBe(-32603);
    expect(error?.message).toMatch(messages[reason] ?? unavailable);
    expect(error?.message).not.toContain("secret");
    expect(made.errors).toEqual([broken.failure]);
    expect(runs).toBe(0);
    broken.failure = undefined;
    const { taskId } = await client.start("work");
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("1"));
  });

  test.each(reasons)("to get: %s", async (reason) => {
    const { store, broken } = breakable("get");
    const made = taskServer({ store });
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await modernClient(made);
    const { taskId } = await client.start("work");
    await client.reaches(taskId, "completed");
    broken.failure = failureOf(reason);
    const requests = [
      client.ask("tasks/get", { taskId }),
      client.ask("tasks/cancel", { taskId }),
      client.ask("tasks/update", { taskId, inputResponses: {} }),
      client.ask("subscriptions/listen", { notifications: { taskIds: [taskId] } }),
    ];
    for (const { error } of await Promise.all(requests)) {
      expect(error?.code).toBe(-32603);
      expect(error?.message).not.toContain("secret");
    }
    expect(made.errors).toEqual(requests.map(() => broken.failure));
    broken.failure = undefined;
    expect((await client.get(taskId)).status).toBe("completed");
  });

  test.each(reasons)("to update: %s", async (reason) => {
    const { store, broken } = breakable("update");
    const made = taskServer({ store });
    made.server.registerTool("ask", { task: "optional" }, async (context) =>
      text(String((await context.elicit("x", form("X?"))).content?.["value"])),
    );
    const client = await modernClient(made);
    const { taskId } = await client.start("ask");
    const asked = await client.reaches(taskId, "input_required");
    broken.failure = failureOf(reason);
    const refused = [
      await client.ask("tasks/update", { taskId, inputResponses: { q1: accept("1") } }),
      await client.ask("tasks/cancel", { taskId }),
    ];
    for (const { error } of refused) {
      expect(error?.code).toBe(-32603);
      expect(error?.message).not.toContain("secret");
    }
    expect(await client.get(taskId)).toEqual(asked);
    broken.failure = undefined;
    await client.ask("tasks/update", { taskId, inputResponses: { q1: accept("2") } });
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("2"));
  });

  test.each(["busy", "unavailable", "full"] as const)("to store an outcome: it is stored later: %s", async (reason) => {
    const { store, broken } = breakable("update");
    const made = taskServer({ store, leaseMs: 40 });
    const { passed, open } = gate();
    made.server.registerTool("work", { task: "optional" }, async () => {
      await passed;
      return text("done");
    });
    const client = await modernClient(made);
    const ids = [(await client.start("work")).taskId, (await client.start("work")).taskId];
    broken.failure = failureOf(reason);
    open();
    await eventually(() => expect(broken.calls).toBeGreaterThan(2));
    for (const id of ids) expect((await client.get(id)).status).toBe("working");
    expect(made.errors).toContain(broken.failure);
    broken.failure = undefined;
    for (const id of ids) expect((await client.reaches(id, "completed"))["result"]).toMatchObject(text("done"));
  });

  test("to store a question: the tool gets the error", async () => {
    const { store, broken } = breakable("update");
    const made = taskServer({ store });
    made.server.registerTool("ask", { task: "optional" }, async (context) => {
      broken.failure = failureOf("busy");
      const error = await context.elicit("x", form("X?")).catch((reason: unknown) => reason);
      broken.failure = undefined;
      return text((error as TaskStoreError).reason);
    });
    const client = await modernClient(made);
    const { taskId } = await client.start("ask");
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("busy"));
  });

  test("to store a status message: the tool gets the error", async () => {
    const { store, broken } = breakable("update");
    const made = taskServer({ store });
    made.server.registerTool("say", { task: "optional" }, async (context) => {
      broken.failure = failureOf("busy");
      const error: unknown = await taskOf(context)
        ?.setStatus("x")
        .catch((reason: unknown) => reason);
      broken.failure = undefined;
      return text((error as TaskStoreError).reason);
    });
    const client = await modernClient(made);
    const { taskId } = await client.start("say");
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("busy"));
  });

  test("to read an answer: the tool gets the answer later", async () => {
    const { store, broken } = breakable("get");
    const made = taskServer({ store, leaseMs: 40 });
    made.server.registerTool("ask", { task: "optional" }, async (context) =>
      text(String((await context.elicit("x", form("X?"))).content?.["value"])),
    );
    const client = await modernClient(made);
    const { taskId } = await client.start("ask");
    await client.reaches(taskId, "input_required");
    const record = present(store.get(taskId, null));
    broken.failure = failureOf("busy");
    const [question] = record.questions;
    const answered = { ...record, version: record.version + 1, status: "working" as const };
    store.update({ ...answered, questions: [{ ...question, answer: accept("late") } as never] });
    await eventually(() => expect(made.errors).toContain(broken.failure));
    broken.failure = undefined;
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("late"));
  });

  test("to take a heartbeat: the server reports it, and goes on", async () => {
    const { store, broken } = breakable("heartbeat");
    const made = taskServer({ store, leaseMs: 40 });
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await modernClient(made);
    broken.failure = failureOf("busy");
    const { taskId } = await client.start("work");
    await client.reaches(taskId, "completed");
    await eventually(() => expect(made.errors.length).toBeGreaterThan(1));
    expect(new Set(made.errors)).toEqual(new Set([broken.failure]));
  });

  test("to list: the session gets an error, and an invalid cursor is one of the client", async () => {
    const { store, broken } = breakable("list");
    const made = taskServer({ store });
    const session = await httpEndpoint(made).session(ada);
    expect((await session("tasks/list", { cursor: "?" })).error).toMatchObject({ code: -32602 });
    expect(made.errors).toEqual([]);
    broken.failure = failureOf("busy");
    expect((await session("tasks/list")).error).toMatchObject({ code: -32603 });
    expect(made.errors).toEqual([broken.failure]);
  });
});

describe("results that the store cannot keep end the task with an error", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  test.each([
    ["not JSON: a number without limits", { ...text("x"), structuredContent: { value: 1n } }],
    ["not JSON: a circle", { ...text("x"), structuredContent: loop }],
    ["larger than the store", text("x".repeat(20_000))],
  ])("%s", async (_, result) => {
    const made = taskServer({ store: new MemoryTaskStore({ maxSize: 10_000 }) });
    made.server.registerTool("work", { task: "optional" }, () => result);
    const client = await modernClient(made);
    const { taskId } = await client.start("work");
    expect((await client.reaches(taskId, "failed"))["error"]).toEqual({ code: -32603, message: "Internal error" });
    expect(made.errors).toHaveLength(1);
  });
});

describe("limits of the store", () => {
  test("maxTasks rejects further tasks, and not other calls", async () => {
    const made = taskServer({ store: new MemoryTaskStore({ maxTasks: 2 }) });
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await modernClient(made);
    const { taskId } = await client.start("work");
    await client.start("work");
    expect((await client.call("work")).error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/too many/) as unknown,
    });
    expect((await client.reaches(taskId, "completed")).status).toBe("completed");
    expect((await (await modernClient(made, {})).call("work")).result).toMatchObject(text("done"));
  });

  test("maxTasksPerOwner rejects only the tasks of that principal", async () => {
    const made = taskServer({ store: new MemoryTaskStore({ maxTasksPerOwner: 1 }) });
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const http = httpEndpoint(made);
    const call = (subject: string) =>
      http.ask("tools/call", { name: "work" }, { principal: { ...ada, subject }, headers: { "mcp-name": "work" } });
    expect((await call("ada")).result).toMatchObject({ resultType: "task" });
    expect((await call("ada")).error?.message).toMatch(/You have too many tasks/);
    expect((await call("bob")).result).toMatchObject({ resultType: "task" });
  });
});

describe("server.close()", () => {
  test("lets handlers finish", async () => {
    const made = taskServer();
    const { passed, open } = gate();
    made.server.registerTool("work", { task: "optional" }, async () => {
      await passed;
      return text("done");
    });
    const client = await sessionClient(made);
    const { taskId } = await client.start("work");
    const waiting = client.ask("tasks/result", { taskId });
    await client.get(taskId);
    const closing = made.server.close(5_000);
    await expect(client.start("work")).rejects.toThrow("shutting down");
    open();
    await closing;
    expect((await waiting).result).toMatchObject(text("done"));
    expect(made.store.get(taskId, null)).toMatchObject({ status: "completed" });
    expect(made.errors).toEqual([]);
  });

  test("aborts the handlers after a time, and lets their tasks fail", async () => {
    const made = taskServer();
    const { passed, open } = gate<unknown>();
    const running = gate();
    made.server.registerTool("work", { task: "optional" }, ({ signal }) => {
      running.open();
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          open(signal.reason);
          reject(signal.reason as Error);
        }),
      );
    });
    const { taskId } = await (await modernClient(made)).start("work");
    await running.passed;
    await made.server.close(10);
    expect(String(await passed)).toContain("the server was closed");
    expect(await made.store.get(taskId, null)).toMatchObject({
      status: "failed",
      error: { code: -32603, message: "The server was closed before the task ended" },
    });
    expect(made.errors).toEqual([]);
  });

  test("rejects the waits of handlers", async () => {
    const made = taskServer();
    const { passed, open } = gate<unknown>();
    made.server.registerTool("work", { task: "optional" }, async (context) => {
      await context.elicit("x", form("X?")).catch(open);
      return text("late");
    });
    const client = await modernClient(made);
    const { taskId } = await client.start("work");
    await client.reaches(taskId, "input_required");
    await made.server.close(10);
    expect(String(await passed)).toContain("the server was closed");
    expect((await made.store.get(taskId, null))?.status).toBe("failed");
  });

  test("stores outcomes that were not stored yet", async () => {
    const { store, broken } = breakable("update");
    const made = taskServer({ store });
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await modernClient(made);
    broken.failure = failureOf("busy");
    const { taskId } = await client.start("work");
    await eventually(() => expect(made.errors).toHaveLength(1));
    broken.failure = undefined;
    await made.server.close();
    expect(store.get(taskId, null)?.status).toBe("completed");
  });

  test("succeeds although the store fails", async () => {
    const { store, broken } = breakable("retire");
    const made = taskServer({ store });
    const client = await modernClient(made);
    await client.ask("tools/list");
    broken.failure = failureOf("closed");
    await made.server.close();
    expect(made.errors).toEqual([broken.failure]);
    expect(made.server.server.connections.size).toBe(0);
  });
});
