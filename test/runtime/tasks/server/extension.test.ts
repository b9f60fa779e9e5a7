import { describe, expect, test } from "vitest";
import { inputRequired } from "../../../../runtime/src/server.js";
import { ErrorCode, ProtocolError } from "../../../../runtime/src/jsonrpc/errors.js";
import { taskOf } from "../../../../runtime/src/tasks.js";
import {
  accept,
  capable,
  eventually,
  form,
  gate,
  modernClient,
  type Handler,
  sessionClient,
  started,
  type Task,
  taskServer,
  text,
} from "./task-servers.js";

const askTwo: Handler = async (context) => {
  const both = await Promise.all([context.elicit("a", form("A?")), context.elicit("b", form("B?"))]);
  return text(both.map(({ content }) => String(content?.["value"])).join(" and "));
};

const keyOf = (task: Task, message: string): string => {
  const asked = Object.entries(task["inputRequests"] as Record<string, { params: { message: string } }>);
  return asked.find(([, { params }]) => params.message === message)?.[0] ?? "";
};

describe("tasks/get", () => {
  const states: readonly (readonly [string, Handler, object])[] = [
    ["working", () => new Promise(() => undefined), {}],
    [
      "input_required",
      (context) => context.elicit("x", form("X?")),
      { inputRequests: { q1: { method: "elicitation/create", params: form("X?") } } },
    ],
    ["completed", () => text("done"), { result: { ...text("done"), resultType: "complete" } }],
    [
      "completed",
      () => {
        throw new Error("for the model");
      },
      { result: { ...text("for the model"), isError: true } },
    ],
    [
      "failed",
      () => {
        throw new ProtocolError(-32000, "no more paper", { tray: 2 });
      },
      { error: { code: -32000, message: "no more paper", data: { tray: 2 } }, statusMessage: "no more paper" },
    ],
    ["failed", () => "not an object", { error: { code: ErrorCode.InternalError, message: "Internal error" } }],
  ];
  test.each(states)("%s", async (status, handler, members) => {
    const { client, taskId } = await started(handler);
    const task = await client.reaches(taskId, status);
    expect(task).toMatchObject({ resultType: "complete", taskId, status, ...members });
    for (const member of ["inputRequests", "result", "error"])
      if (!(member in members)) expect(task).not.toHaveProperty(member);
  });

  test("keeps internal errors from clients; onerror receives them", async () => {
    const { client, taskId, errors } = await started(() => ({ content: "secret" }));
    const task = await client.reaches(taskId, "failed");
    expect(JSON.stringify(task)).not.toContain("secret");
    expect(task["error"]).toEqual({ code: -32603, message: "Internal error" });
    expect(errors.map(String)).toEqual([expect.stringContaining('the callback of tool "work"')]);
  });

  test("a missing capability of the client fails the task with its code", async () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, async (context) => {
      await context.elicit("x", form("X?"));
      return text("asked");
    });
    const client = await modernClient(made, { extensions: capable.extensions });
    const { taskId } = await client.start("work");
    expect((await client.reaches(taskId, "failed"))["error"]).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
  });

  test("has the status message that the tool sets, and the time of the last change", async () => {
    const { passed, open } = gate();
    const { client, taskId } = await started(async (context) => {
      await passed;
      await taskOf(context)?.setStatus("half of it");
      return new Promise(() => undefined);
    });
    const before = await client.get(taskId);
    expect(before).not.toHaveProperty("statusMessage");
    open();
    await eventually(async () => expect(await client.get(taskId)).toMatchObject({ statusMessage: "half of it" }));
    const after = await client.get(taskId);
    expect(after["createdAt"]).toBe(before["createdAt"]);
    expect(Date.parse(String(after["lastUpdatedAt"]))).toBeGreaterThanOrEqual(Date.parse(String(after["createdAt"])));
  });

  test("taskOf has the id and the attempts; without a task it is undefined", async () => {
    const made = taskServer();
    made.server.registerTool("which", { task: "optional" }, (context) => {
      const { id, attempts } = taskOf(context) ?? {};
      return text(JSON.stringify({ id, attempts }));
    });
    const client = await modernClient(made);
    const { taskId } = await client.start("which");
    const task = await client.reaches(taskId, "completed");
    expect(task["result"]).toMatchObject(text(JSON.stringify({ id: taskId, attempts: 1 })));
    expect((await (await modernClient(made, {})).call("which")).result).toMatchObject(text("{}"));
  });

  test("drops progress, logs and notifications of the tool", async () => {
    const made = taskServer({}, { capabilities: { logging: {} } });
    made.server.registerTool("loud", { task: "optional" }, async (context) => {
      context.progress({ progress: 1 });
      context.log("error", "x");
      await context.notify("notifications/message", { level: "error", data: "x" });
      return text("done");
    });
    const client = await modernClient(made);
    const params = { name: "loud", _meta: { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" } };
    const { result } = await client.ask("tools/call", params);
    await client.reaches(String(result?.["taskId"]), "completed");
    expect(client.inbox).toEqual([]);
  });
});

describe("unknown tasks", () => {
  const requests: readonly (readonly [string, object])[] = [
    ["tasks/get", {}],
    ["tasks/cancel", {}],
    ["tasks/update", { inputResponses: {} }],
  ];
  const ids: readonly (readonly [string, unknown, RegExp])[] = [
    ["unknown", "x", /there is no task/],
    ["empty", "", /there is no task/],
    ["__proto__", "__proto__", /there is no task/],
    ["a number", 1, /Invalid params/],
    ["missing", undefined, /Invalid params/],
    ["long", "x".repeat(100_000), /there is no task/],
  ];
  const cases = requests.flatMap(([method, more]) =>
    ids.map(([what, id, message]) => ({ method, more, what, id, message })),
  );
  test.each(cases)("$method with an id that is $what", async ({ method, more, id, message }) => {
    const client = await modernClient(taskServer());
    const { error } = await client.ask(method, { taskId: id, ...more });
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) as unknown });
  });

  test.each(requests)("%s of a client that does not declare the extension", async (method, more) => {
    const { taskId, ...made } = await started(() => text("done"));
    const client = await modernClient(made, {});
    expect((await client.ask(method, { taskId, ...more })).error?.code).toBe(-32021);
  });

  test.each(["tasks/result", "tasks/list"])("%s does not exist in 2026-07-28", async (method) => {
    const client = await modernClient(taskServer());
    expect((await client.ask(method, { taskId: "x" })).error?.code).toBe(-32601);
  });

  test("a task of 2025-11-25 does not exist in 2026-07-28, and the other way round", async () => {
    const { taskId, client, ...made } = await started(() => text("done"));
    const session = await sessionClient(made);
    const { taskId: other } = await session.start("work");
    expect((await session.ask("tasks/get", { taskId })).error?.code).toBe(-32602);
    expect((await client.ask("tasks/get", { taskId: other })).error?.code).toBe(-32602);
    expect((await client.ask("tasks/cancel", { taskId: other })).error?.code).toBe(-32602);
  });

  test("an expired task no longer exists, and its handler is aborted", async () => {
    const { passed, open } = gate<unknown>();
    const { client, taskId, errors } = await started(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            open(signal.reason);
            reject(signal.reason as Error);
          }),
        ),
      { ttlMs: 60 },
    );
    expect(String(await passed)).toContain("expired");
    expect((await client.ask("tasks/get", { taskId })).error?.code).toBe(-32602);
    expect(errors).toEqual([]);
  });
});

describe("tasks/update", () => {
  test("takes the answers one by one", async () => {
    const { client, taskId } = await started(askTwo);
    await eventually(async () =>
      expect(Object.keys((await client.get(taskId))["inputRequests"] as object)).toHaveLength(2),
    );
    const both = await client.get(taskId);
    const [a, b] = [keyOf(both, "A?"), keyOf(both, "B?")];
    const first = await client.ask("tasks/update", { taskId, inputResponses: { [a]: accept("one") } });
    expect(first.result).toMatchObject({ resultType: "complete" });
    expect(Object.keys(first.result ?? {}).sort()).toEqual(["_meta", "resultType"]);
    const half = await client.get(taskId);
    expect(half.status).toBe("input_required");
    expect(Object.keys(half["inputRequests"] as object)).toEqual([b]);
    await client.ask("tasks/update", { taskId, inputResponses: { [b]: accept("two") } });
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("one and two"));
  });

  test("ignores unknown keys, second answers, and answers after the end", async () => {
    const { client, taskId } = await started(askTwo);
    await eventually(async () =>
      expect(Object.keys((await client.get(taskId))["inputRequests"] as object)).toHaveLength(2),
    );
    const task = await client.get(taskId);
    const [a, b] = [keyOf(task, "A?"), keyOf(task, "B?")];
    const answer = (inputResponses: object) => client.ask("tasks/update", { taskId, inputResponses });
    expect(await answer({ nothing: accept("0"), constructor: accept("1") })).toHaveProperty("result");
    expect((await client.get(taskId))["inputRequests"]).toEqual(task["inputRequests"]);
    expect(await answer({ [a]: accept("one"), nothing: accept("x") })).toHaveProperty("result");
    expect(await answer({ [a]: accept("other"), [b]: accept("two") })).toHaveProperty("result");
    const ended = await client.reaches(taskId, "completed");
    expect(ended["result"]).toMatchObject(text("one and two"));
    expect(await answer({ [a]: accept("late") })).toHaveProperty("result");
    expect(await client.get(taskId)).toEqual(ended);
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ["not an object", "yes"],
    ["an unknown action", { action: "maybe" }],
    ["content of the wrong type", { action: "accept", content: { value: { deep: 1 } } }],
    ["a result of another method", { roots: [] }],
  ];
  test.each(malformed)("rejects all answers when one is malformed: %s", async (_, wrong) => {
    const { client, taskId } = await started(askTwo);
    await eventually(async () =>
      expect(Object.keys((await client.get(taskId))["inputRequests"] as object)).toHaveLength(2),
    );
    const task = await client.get(taskId);
    const [a, b] = [keyOf(task, "A?"), keyOf(task, "B?")];
    const refused = await client.ask("tasks/update", { taskId, inputResponses: { [a]: accept("one"), [b]: wrong } });
    expect(refused.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid params") as unknown,
    });
    expect(await client.get(taskId)).toEqual(task);
    await client.ask("tasks/update", { taskId, inputResponses: { [a]: accept("1"), [b]: accept("2") } });
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("1 and 2"));
  });

  test.each([{}, { inputResponses: [] }, { inputResponses: null }])("rejects params %j", async (params) => {
    const { client, taskId } = await started(askTwo);
    expect((await client.ask("tasks/update", { taskId, ...params })).error?.code).toBe(-32602);
  });

  test.each([
    ["decline", { action: "decline" }],
    ["cancel", { action: "cancel" }],
  ])("passes %s to the tool", async (action, answer) => {
    const { client, taskId } = await started(async (context) => text((await context.elicit("x", form("X?"))).action));
    await client.reaches(taskId, "input_required");
    await client.ask("tasks/update", { taskId, inputResponses: { q1: answer } });
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text(action));
  });

  test("never uses a key twice, also for equal questions", async () => {
    const { client, taskId } = await started(async (context) => {
      const first = await context.elicit("same", form("X?"));
      const second = await context.elicit("same", form("X?"));
      return text(`${String(first.content?.["value"])} ${String(second.content?.["value"])}`);
    });
    const [key = ""] = Object.keys((await client.reaches(taskId, "input_required"))["inputRequests"] as object);
    await client.ask("tasks/update", { taskId, inputResponses: { [key]: accept("1") } });
    await eventually(async () => {
      const { inputRequests } = await client.get(taskId);
      expect(Object.keys(inputRequests as object)).not.toContain(key);
    });
    const [next = ""] = Object.keys((await client.get(taskId))["inputRequests"] as object);
    await client.ask("tasks/update", { taskId, inputResponses: { [key]: accept("3"), [next]: accept("2") } });
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("1 2"));
  });

  test("answers what a tool returns as inputRequired, with its state, until it returns a result", async () => {
    const { client, taskId } = await started((context) => {
      const state = Number(context.requestState ?? 0);
      if (state === 2) return text(JSON.stringify(context.inputResponses));
      const inputRequests = { [`key${state}`]: { method: "elicitation/create" as const, params: form(`${state}?`) } };
      return inputRequired({ inputRequests, requestState: String(state + 1) });
    });
    for (const round of ["0", "1"]) {
      await eventually(async () =>
        expect(JSON.stringify((await client.get(taskId))["inputRequests"])).toContain(`${round}?`),
      );
      const key = keyOf(await client.get(taskId), `${round}?`);
      await client.ask("tasks/update", { taskId, inputResponses: { [key]: accept(round) } });
    }
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(
      text(JSON.stringify({ key0: accept("0"), key1: accept("1") })),
    );
  });

  test("a tool that returns inputRequired without end fails at the round limit", async () => {
    const { client, taskId, errors } = await started(() => inputRequired({ requestState: "again" }));
    const { error } = await client.reaches(taskId, "failed");
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(errors).toMatchObject([{ code: "INPUT_REQUIRED_ROUNDS_EXCEEDED" }]);
  });
});

describe("the connection", () => {
  test("may end before the tool: another one reads the result", async () => {
    const { passed, open } = gate();
    const { client, taskId, ...made } = await started(async () => {
      await passed;
      return text("survived");
    });
    await client.close();
    open();
    const other = await modernClient(made);
    expect((await other.reaches(taskId, "completed"))["result"]).toMatchObject(text("survived"));
  });
});
