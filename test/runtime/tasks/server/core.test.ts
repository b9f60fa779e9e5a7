import { describe, expect, test } from "vitest";
import { ProtocolError, ResourceNotFoundError } from "../../../../runtime/src/jsonrpc/errors.js";
import { MemoryTaskStore, taskOf, type TaskSupport } from "../../../../runtime/src/tasks.js";
import { ada, otherAda } from "../new-task.js";
import {
  accept,
  eventually,
  form,
  gate,
  httpEndpoint,
  modernClient,
  relatedTask,
  type Handler,
  sessionClient,
  startedInSession as started,
  taskServer,
  text,
  type Message,
} from "./task-servers.js";

const related = (taskId: string) => ({ [relatedTask]: { taskId } });
const forever: Handler = () => new Promise(() => undefined);

describe("a call of 2025-11-25", () => {
  const notFound = { error: { code: -32601 } };
  const created = { result: { task: { status: "working" } } };
  const direct = { result: text("at once") };
  const cases: readonly (readonly [TaskSupport | undefined, object | undefined, object])[] = [
    [undefined, undefined, direct],
    [undefined, {}, notFound],
    ["optional", undefined, direct],
    ["optional", {}, created],
    ["required", undefined, notFound],
    ["required", {}, created],
  ];
  test.each(cases)("of a tool with task %s, with params.task %j", async (support, task, expected) => {
    const made = taskServer();
    made.server.registerTool("work", { ...(support && { task: support }) }, (context) =>
      text(taskOf(context) ? "in a task" : "at once"),
    );
    const client = await sessionClient(made);
    expect(await client.call("work", undefined, task && { task })).toMatchObject(expected);
  });

  test.each([["2025-06-18"], ["2024-11-05"]])("%s knows no tasks: an optional tool runs at once", async (revision) => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, (context) =>
      text(taskOf(context) ? "in a task" : "at once"),
    );
    const client = await sessionClient(made, {}, revision);
    expect((await client.call("work", undefined, { task: {} })).result).toMatchObject(text("at once"));
    expect((await client.ask("tasks/get", { taskId: "x" })).error?.code).toBe(-32601);
    expect((await client.ask("tasks/list")).error?.code).toBe(-32601);
  });

  test("creates a task with the members of this revision", async () => {
    const made = taskServer({ ttlMs: 90_000, pollIntervalMs: 20 });
    made.server.registerTool("work", { task: "optional" }, forever as never);
    const client = await sessionClient(made);
    const { result } = await client.call("work", undefined, { task: {} });
    expect(Object.keys(result ?? {})).toEqual(["task"]);
    const task = result?.["task"] as object;
    expect(Object.keys(task).sort()).toEqual(
      ["createdAt", "lastUpdatedAt", "pollInterval", "status", "taskId", "ttl"].sort(),
    );
    expect(task).toMatchObject({ ttl: 90_000, pollInterval: 20 });
  });

  test.each([
    ["the default", {}, 50_000],
    ["what the client asks for", { ttl: 60_000 }, 60_000],
    ["less than 0", { ttl: -5 }, 0],
    ["more than the limit", { ttl: 10 ** 12 }, 100_000],
  ])("ttl: %s", async (_, task, ttl) => {
    const made = taskServer({ ttlMs: 50_000, maxTtlMs: 100_000 });
    made.server.registerTool("work", { task: "optional" }, forever as never);
    const { result } = await (await sessionClient(made)).call("work", undefined, { task });
    expect(result?.["task"]).toMatchObject({ ttl });
  });

  test("ttl: a task expires, and requests for its result fail", async () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, forever as never);
    const client = await sessionClient(made);
    const { taskId } = await client.start("work", undefined, { ttl: 60 });
    expect((await client.ask("tasks/result", { taskId })).error).toMatchObject({ code: -32602 });
    expect((await client.ask("tasks/get", { taskId })).error).toMatchObject({ code: -32602 });
  });

  test.each([{ task: null }, { task: "yes" }, { task: { ttl: "1" } }])("rejects params %j", async (params) => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, forever as never);
    expect((await (await sessionClient(made)).call("work", undefined, params)).error?.code).toBe(-32602);
  });

  test("passes its task through middleware", async () => {
    const seen: unknown[] = [];
    const made = taskServer(
      {},
      {
        middleware: [
          async ({ method }, next) => {
            const result = await next();
            if (method === "tools/call") seen.push(result);
            return result;
          },
        ],
      },
    );
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await sessionClient(made);
    const { taskId } = await client.start("work");
    expect(seen).toMatchObject([{ task: { taskId } }]);
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject(text("done"));
  });
});

describe("tasks/result", () => {
  test("waits for the end, and can be asked again", async () => {
    const { passed, open } = gate();
    const { client, taskId } = await started(async () => {
      await passed;
      return { ...text("done"), _meta: { "com.example/x": 1 } };
    });
    let answered: Message | undefined;
    const waiting = client.ask("tasks/result", { taskId }).then((answer) => (answered = answer));
    await client.ask("tasks/get", { taskId });
    expect(answered).toBeUndefined();
    open();
    const first = await waiting;
    expect(first.result).toEqual({ ...text("done"), _meta: { "com.example/x": 1, ...related(taskId) } });
    expect((await client.ask("tasks/result", { taskId })).result).toEqual(first.result);
    expect(await client.get(taskId)).toMatchObject({ status: "completed" });
    expect(await client.get(taskId)).not.toHaveProperty("result");
  });

  test("of a failed task is the original error", async () => {
    const { client, taskId } = await started(() => {
      throw new ProtocolError(-32000, "no more paper", { tray: 2 });
    });
    const error = { code: -32000, message: "no more paper", data: { tray: 2 } };
    expect((await client.ask("tasks/result", { taskId })).error).toEqual(error);
    expect((await client.ask("tasks/result", { taskId })).error).toEqual(error);
    expect(await client.get(taskId)).toMatchObject({ status: "failed", statusMessage: "no more paper" });
  });

  test("of an internal error does not contain it", async () => {
    const { client, taskId, errors } = await started(() => ({ content: "secret" }));
    const answer = await client.ask("tasks/result", { taskId });
    expect(answer.error).toEqual({ code: -32603, message: "Internal error" });
    expect(errors).toHaveLength(1);
  });

  test("of a tool error is a result, and the task has failed", async () => {
    const { client, taskId } = await started(() => {
      throw new Error("for the model");
    });
    const expected = { ...text("for the model"), isError: true, _meta: related(taskId) };
    expect((await client.ask("tasks/result", { taskId })).result).toEqual(expected);
    expect(await client.get(taskId)).toMatchObject({ status: "failed", statusMessage: "for the model" });
    const { result } = await client.ask("tasks/list");
    expect(result?.["tasks"]).toMatchObject([{ taskId, status: "failed" }]);
  });

  test("of a cancelled task is an error, also for a request that waits", async () => {
    const { client, taskId } = await started(forever);
    const waiting = client.ask("tasks/result", { taskId });
    await client.get(taskId);
    await client.ask("tasks/cancel", { taskId });
    expect((await waiting).error).toMatchObject({ message: "The task was cancelled" });
    expect((await client.ask("tasks/result", { taskId })).error).toEqual((await waiting).error);
  });

  test("may be cancelled: the task goes on", async () => {
    const { passed, open } = gate();
    const { client, taskId } = await started(() => passed.then(() => text("done")));
    const { id } = client.begin("tasks/result", { taskId });
    client.send({ method: "notifications/cancelled", params: { requestId: id } });
    expect((await client.get(taskId)).status).toBe("working");
    open();
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject(text("done"));
  });
});

describe("tasks/cancel", () => {
  test("aborts the handler, and returns the task", async () => {
    const running = gate();
    const { passed, open } = gate<unknown>();
    const { client, taskId } = await started(({ signal }) => {
      running.open();
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          open(signal.reason);
          reject(signal.reason as Error);
        }),
      );
    });
    await running.passed;
    expect((await client.ask("tasks/cancel", { taskId })).result).toMatchObject({ taskId, status: "cancelled" });
    expect(await passed).toMatchObject({ code: "REQUEST_CANCELLED" });
  });

  test.each([
    ["completed", () => text("done")],
    [
      "failed",
      () => {
        throw new ProtocolError(-32000, "no");
      },
    ],
  ])("rejects a task that is %s, also again", async (status, handler) => {
    const { client, taskId } = await started(handler);
    await client.reaches(taskId, status);
    for (const _ of [1, 2]) expect((await client.ask("tasks/cancel", { taskId })).error?.code).toBe(-32602);
    expect((await client.get(taskId)).status).toBe(status);
  });

  test("rejects a task that is cancelled", async () => {
    const { client, taskId } = await started(forever);
    expect((await client.ask("tasks/cancel", { taskId })).result).toBeDefined();
    expect((await client.ask("tasks/cancel", { taskId })).error?.code).toBe(-32602);
  });
});

describe("unknown tasks", () => {
  test.each(["tasks/get", "tasks/result", "tasks/cancel"])("%s", async (method) => {
    const client = await sessionClient(taskServer());
    for (const taskId of ["x", "", "__proto__", 1, undefined])
      expect((await client.ask(method, { taskId })).error?.code).toBe(-32602);
  });

  test("tasks/update does not exist in 2025-11-25", async () => {
    const client = await sessionClient(taskServer());
    expect((await client.ask("tasks/update", { taskId: "x", inputResponses: {} })).error?.code).toBe(-32601);
  });
});

describe("tasks/list", () => {
  test("has all tasks, in pages", async () => {
    const made = taskServer({ store: new MemoryTaskStore() });
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await sessionClient(made);
    const ids: string[] = [];
    for (let at = 0; at < 203; at++) ids.push((await client.start("work")).taskId);
    const listed: string[] = [];
    const lengths: number[] = [];
    let cursor: unknown;
    do {
      const { result } = await client.ask("tasks/list", cursor === undefined ? {} : { cursor });
      const page = result?.["tasks"] as { taskId: string }[];
      lengths.push(page.length);
      listed.push(...page.map(({ taskId }) => taskId));
      cursor = result?.["nextCursor"];
    } while (cursor !== undefined);
    expect(listed).toEqual(ids);
    expect(lengths).toEqual([100, 100, 3]);
  });

  test("over stdio has only the tasks that the session has created or read: others may share the store", async () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const [one, two] = [await sessionClient(made), await sessionClient(made)];
    const { taskId } = await one.start("work");
    expect((await one.ask("tasks/list")).result).toMatchObject({ tasks: [{ taskId }] });
    expect((await two.ask("tasks/list")).result).toEqual({ tasks: [] });
    await two.get(taskId);
    expect((await two.ask("tasks/list")).result).toMatchObject({ tasks: [{ taskId }] });
    expect((await two.ask("tasks/list", { cursor: "?" })).error?.code).toBe(-32602);
  });

  test("has no expired tasks", async () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const client = await sessionClient(made);
    await client.start("work", {}, { ttl: 1 });
    await eventually(async () => expect((await client.ask("tasks/list")).result).toEqual({ tasks: [] }));
  });

  test("over HTTP without authorization has only the tasks of the session", async () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const http = httpEndpoint(made);
    const [one, two] = [await http.session(), await http.session()];
    const { result } = await one("tools/call", { name: "work", task: {} });
    const { taskId } = result?.["task"] as { taskId: string };
    expect((await one("tasks/list")).result).toMatchObject({ tasks: [{ taskId }] });
    expect((await two("tasks/list")).result).toEqual({ tasks: [] });
    expect((await two("tasks/get", { taskId })).result).toMatchObject({ taskId });
  });

  test("over HTTP with authorization has the tasks of the principal in all sessions, and no others", async () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, () => text("done"));
    const http = httpEndpoint(made);
    const { result } = await (await http.session(ada))("tools/call", { name: "work", task: {} });
    const { taskId } = result?.["task"] as { taskId: string };
    expect((await (await http.session(ada))("tasks/list")).result).toMatchObject({ tasks: [{ taskId }] });
    const other = await http.session(otherAda);
    expect((await other("tasks/list")).result).toEqual({ tasks: [] });
    for (const method of ["tasks/get", "tasks/cancel", "tasks/result"])
      expect((await other(method, { taskId })).error?.code).toBe(-32602);
  });
});

describe("progress and logs of a tool", () => {
  test("are sent with the related task, also after the result of the call", async () => {
    const made = taskServer({}, { capabilities: { logging: {} } });
    const { passed, open } = gate();
    made.server.registerTool("loud", { task: "optional" }, async (context) => {
      await passed;
      context.progress({ progress: 1 });
      context.log("error", "x");
      return text("done");
    });
    const client = await sessionClient(made);
    const { result } = await client.ask("tools/call", { name: "loud", task: {}, _meta: { progressToken: 7 } });
    const { taskId } = result?.["task"] as { taskId: string };
    open();
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject(text("done"));
    const [progress, log] = ["notifications/progress", "notifications/message"].map((method) =>
      client.inbox.find((one) => one.method === method),
    );
    expect(progress?.params).toEqual({ progressToken: 7, progress: 1, _meta: related(taskId) });
    expect(log?.params).toEqual({ level: "error", data: "x", _meta: related(taskId) });
  });
});

describe("notifications/tasks/status", () => {
  test("are sent for each change, with the whole task", async () => {
    const { passed, open } = gate();
    const { client, taskId } = await started(async (context) => {
      await passed;
      await taskOf(context)?.setStatus("half of it");
      await context.elicit("x", form("X?"));
      return text("done");
    });
    open();
    const status = "notifications/tasks/status";
    expect((await client.next(status)).params).toMatchObject({
      taskId,
      status: "working",
      statusMessage: "half of it",
    });
    expect((await client.next(status)).params).toMatchObject({ taskId, status: "input_required" });
    const waiting = client.ask("tasks/result", { taskId });
    const { id } = await client.next("elicitation/create");
    client.send({ id, result: accept("x") });
    await waiting;
    await eventually(async () => expect((await client.next(status)).params).toEqual(await client.get(taskId)));
  });

  test("are not sent for the tasks of other sessions", async () => {
    const made = taskServer();
    const { passed, open } = gate();
    made.server.registerTool("work", { task: "optional" }, () => passed.then(() => text("done")));
    const [one, two] = [await sessionClient(made), await sessionClient(made)];
    const { taskId } = await one.start("work");
    open();
    await one.next("notifications/tasks/status");
    await two.reaches(taskId, "completed");
    expect(two.inbox).toEqual([]);
  });
});

test("a session may end before its task: the next one reads the result", async () => {
  const { passed, open } = gate();
  const { client, taskId, errors, ...made } = await started(() => passed.then(() => text("survived")));
  await client.close();
  open();
  const next = await sessionClient(made);
  expect((await next.ask("tasks/result", { taskId })).result).toMatchObject(text("survived"));
  expect(errors).toEqual([]);
});

describe("errors of tools are those of plain calls", () => {
  test.each([
    ["a code of the tool", () => new ProtocolError(-32000, "no more paper", { tray: 2 })],
    ["a code that the protocol reserves", () => new ProtocolError(-32042, "reserved", { x: 1 })],
    ["the older code for what is not found", () => new ResourceNotFoundError("file:///x")],
  ])("%s", async (_, error) => {
    const made = taskServer();
    made.server.registerTool("fail", { task: "optional" }, () => {
      throw error();
    });
    const client = await sessionClient(made);
    const plain = await client.call("fail");
    const { taskId } = await client.start("fail");
    expect((await client.ask("tasks/result", { taskId })).error).toEqual(plain.error);
    expect(await client.get(taskId)).toMatchObject({ status: "failed", statusMessage: plain.error?.message });
    const modern = await modernClient(made);
    const there = await (await modernClient(made, {})).call("fail");
    const created = await modern.start("fail");
    expect((await modern.reaches(created.taskId, "failed"))["error"]).toEqual(there.error);
  });
});
