import { setMaxListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import type { Task } from "../../../../runtime/src/client.js";
import { R4, R5 } from "../../connection/connection-ends.js";
import { connectTo, generations, RpcFailure, task, TaskServer, tasksId, unknownTask, until } from "./task-server.js";

const call = { name: "slow", arguments: { a: 1 } };
const done = { content: [{ type: "text", text: "done" }] };

describe.each(generations)("a call that a server of %s runs as a task", (revision) => {
  test("gives the result of the tool", async () => {
    const { client, server, errors } = await connectTo(revision);
    server.script([task("working"), task("working", 1), task("completed", 2)]);
    expect(await client.callTool(call, { task: true })).toMatchObject(done);
    expect(server.sent("tasks/get").length).toBeGreaterThanOrEqual(2);
    expect(errors).toEqual([]);
  });

  test("gives the result of the tool, although the caller knows nothing of tasks", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("completed", 2)]);
    expect(await client.callTool(call)).toMatchObject(done);
  });

  test("has its id passed to onTask, and stored, before the first poll; and each change of its status to onStatus", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1, { statusMessage: "half" }), task("completed", 2)]);
    const events: unknown[] = [];
    let stored = (): void => undefined;
    const result = client.callTool(call, {
      onTask: ({ taskId, ttlMs, pollIntervalMs }) => {
        events.push({ taskId, ttlMs, pollIntervalMs });
        return new Promise<void>((resolve) => (stored = resolve));
      },
      onStatus: ({ status, statusMessage }) => events.push(statusMessage ?? status),
    });
    await until(() => events.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(server.sent("tasks/get")).toEqual([]);
    stored();
    await result;
    expect(events).toEqual([{ taskId: "t", ttlMs: null, pollIntervalMs: 100 }, "working", "half", "completed"]);
  });

  test("is cancelled when its id cannot be stored", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1)]);
    const onTask = (): Promise<void> => Promise.reject(new Error("disk full"));
    await expect(client.callTool(call, { onTask })).rejects.toThrow("disk full");
    await until(() => server.sent("tasks/cancel").length > 0);
    expect(server.methods).not.toContain("tasks/get");
  });

  test("is cancelled when the call is aborted, without a notification", async () => {
    const { client, server, errors } = await connectTo(revision);
    server.script([task("working"), task("working", 1)]);
    const calling = new AbortController();
    const result = client.callTool(call, { signal: calling.signal });
    await until(() => server.sent("tasks/get").length > 0);
    calling.abort(new Error("enough"));
    await expect(result).rejects.toThrow("enough");
    await until(() => server.sent("tasks/cancel").length > 0);
    expect(server.sent("tasks/cancel")).toEqual([expect.objectContaining({ taskId: "t" })]);
    expect(errors).toEqual([]);
  });

  test("is cancelled when it takes longer than maxTotalMs, which covers the whole call", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1)]);
    await expect(client.callTool(call, { maxTotalMs: 350 })).rejects.toMatchObject({
      code: "REQUEST_TIMEOUT",
      data: { maxTotalMs: 350 },
    });
    await until(() => server.sent("tasks/cancel").length > 0);
  });

  test("goes on when a poll is not answered within timeoutMs", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("completed", 1)]);
    const get = server.on["tasks/get"];
    let polls = 0;
    server.on["tasks/get"] = (params, message) =>
      ++polls === 1 ? new Promise(() => undefined) : get?.(params, message);
    expect(await client.callTool(call, { timeoutMs: 100 })).toMatchObject(done);
    expect(polls).toBe(2);
  });

  test("that was cancelled, has expired or is unknown rejects with a TaskError", async () => {
    for (const [states, code] of [
      [[task("working"), task("cancelled", 1)], "TASK_CANCELLED"],
      [[task("working", 0, { ttlMs: 50 }), unknownTask], "TASK_EXPIRED"],
      [[task("working", 0, { ttlMs: 50 }), task("working", 1, { ttlMs: 50 })], "TASK_EXPIRED"],
      [[task("working"), unknownTask], "TASK_NOT_FOUND"],
    ] as const) {
      const { client, server } = await connectTo(revision);
      server.script(states);
      await expect(client.callTool(call)).rejects.toMatchObject({
        name: "TaskError",
        code,
        taskId: "t",
        data: { taskId: "t" },
      });
      expect(server.methods).not.toContain("tasks/cancel");
    }
  });

  test("that failed rejects with the error of the call", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("failed", 1, { statusMessage: "quota" })]);
    const failure = { code: -32000, message: "over quota", data: { limit: 5 } };
    server.on["tasks/result"] = () => {
      throw new RpcFailure(failure.code, failure.message, failure.data);
    };
    const get = server.on["tasks/get"];
    server.on["tasks/get"] = (params, message) => ({
      ...(get?.(params, message) as object),
      ...(revision === R5 && { error: failure }),
    });
    await expect(client.callTool(call)).rejects.toMatchObject({ name: "RemoteError", ...failure });
  });

  test("gives a result with isError as it is", async () => {
    const { client, server } = await connectTo(revision);
    // Before the extension, the status of such a task was `failed`.
    server.script([task("working"), task(revision === R5 ? "completed" : "failed", 1)], { ...done, isError: true });
    expect(await client.callTool(call)).toMatchObject({ ...done, isError: true });
  });

  test.each([
    ["not one of the method", { content: "text" }],
    ["another task", revision === R5 ? { resultType: "task", taskId: "u" } : { task: { taskId: "u" } }],
    ["a request for input", revision === R5 ? { resultType: "input_required", requestState: "s" } : { content: 5 }],
  ])("whose result is %s is invalid", async (_name, result) => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("completed", 1)], result);
    await expect(client.callTool(call)).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test("whose state is another task's, or not valid, is invalid", async () => {
    for (const state of [
      task("completed", 1, { taskId: "u" }),
      { ...task("working", 1), status: "sleeping" } as unknown as Task,
    ]) {
      const { client, server } = await connectTo(revision);
      server.script([task("working"), state]);
      await expect(client.callTool(call)).rejects.toMatchObject({ code: "INVALID_RESULT" });
    }
  });

  test("has its structured output checked", async () => {
    const compile = () => (value: unknown) =>
      typeof value === "object"
        ? [{ path: ["n"], expected: "a number", received: "nothing", message: "must be a number" }]
        : [];
    const { client, server } = await connectTo(revision, { jsonSchemaValidator: { compile } });
    server.tools.splice(0, 1, { ...server.tools[0], outputSchema: { type: "object" } });
    await client.listTools();
    server.script([task("working"), task("completed", 1)], { ...done, structuredContent: {} });
    await expect(client.callTool(call)).rejects.toMatchObject({ code: "INVALID_RESULT", message: /outputSchema/ });
  });

  test("survives that the server restarts, and the connection with it", async () => {
    const { client, server } = await connectTo(revision, { restart: { pauseMs: 1 } });
    server.script([task("working"), task("working", 1), task("completed", 2)]);
    const get = server.on["tasks/get"];
    let polls = 0;
    server.on["tasks/get"] = (params, message) => {
      if (++polls === 1) queueMicrotask(() => server.crash());
      return get?.(params, message);
    };
    expect(await client.callTool(call)).toMatchObject(done);
  });

  test("ends when the client is closed, and is not cancelled: it can be resumed", async () => {
    const { client, server } = await connectTo(revision);
    server.script([task("working"), task("working", 1)]);
    const result = client.callTool(call);
    await until(() => server.sent("tasks/get").length > 0);
    await client.close();
    await expect(result).rejects.toMatchObject({ code: /NOT_CONNECTED|CONNECTION_CLOSED/ });
    expect(server.methods).not.toContain("tasks/cancel");
  });

  test("has both outcomes when it is cancelled while it completes", async () => {
    for (const last of [task("completed", 2), task("cancelled", 2)]) {
      const { client, server } = await connectTo(revision);
      server.script([task("working"), last]);
      const result = client.callTool(call).then(
        ({ content }) => content,
        (error: unknown) => (error as { code: string }).code,
      );
      expect(await result).toEqual(last.status === "completed" ? done.content : "TASK_CANCELLED");
    }
  });

  test("does not leave timers or listeners behind, with 1,000 at once", async () => {
    const { client, server } = await connectTo(revision);
    let created = 0;
    let mayEnd = false;
    server.on["tools/call"] = () => server.created(task("working", 0, { taskId: `t${created++}` }));
    const polls = new Map<unknown, number>();
    server.on["tasks/get"] = ({ taskId }) => {
      const count = (polls.get(taskId) ?? 0) + 1;
      polls.set(taskId, count);
      const state = task(mayEnd ? "completed" : "working", count, { taskId: taskId as string });
      return server.result({
        ...server.task(state),
        ...(mayEnd && revision === R5 && { result: server.result(done) }),
      });
    };
    server.on["tasks/result"] = () => done;
    await client.listTools();
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    const calls = Array.from({ length: 1_000 }, () => client.callTool(call, { signal, maxTotalMs: 60_000 }));
    await until(() => timers() > before + 1_000);
    mayEnd = true;
    expect(await Promise.all(calls)).toHaveLength(1_000);
    expect(polls.size).toBe(1_000);
    expect(add.mock.calls.length).toBe(remove.mock.calls.length);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe("a call of a tool of 2025-11-25", () => {
  const asked = (server: TaskServer): unknown[] => server.sent("tools/call").map((params) => params["task"]);

  test.each([
    ["slow", undefined, {}],
    ["slow", { ttlMs: 5_000 }, { ttl: 5_000 }],
    ["maybe", undefined, undefined],
    ["maybe", true, {}],
    ["maybe", { ttlMs: 0 }, { ttl: 0 }],
    ["fast", true, undefined],
    ["unlisted", true, undefined],
  ] as const)("%s with the option task %j asks for %j", async (name, option, expected) => {
    const { client, server } = await connectTo(R4);
    server.on["tools/call"] = () => done;
    expect(await client.callTool({ name }, option === undefined ? {} : { task: option })).toMatchObject(done);
    await client.callTool({ name }, option === undefined ? {} : { task: option });
    expect(asked(server)).toEqual([expected, expected]);
    expect(server.methods.filter((method) => method === "tools/list")).toHaveLength(1);
  });

  test.each([{ tools: {} }, { tools: {}, tasks: {} }, { tools: {}, tasks: { requests: { tools: {} } } }])(
    "never asks for a task, and lists nothing, when the server declares %j",
    async (capabilities) => {
      const { client, server } = await connectTo(new TaskServer(R4, capabilities));
      server.on["tools/call"] = () => done;
      await client.callTool({ name: "slow" }, { task: true });
      expect(asked(server)).toEqual([undefined]);
      expect(server.methods).toEqual(["tools/call"]);
    },
  );

  test("lists all pages, once for calls at the same time", async () => {
    const { client, server } = await connectTo(R4);
    const [slow, ...others] = server.tools;
    server.on["tools/list"] = ({ cursor }) => (cursor === "2" ? { tools: [slow] } : { tools: others, nextCursor: "2" });
    server.script([task("working"), task("completed", 1)]);
    await Promise.all([client.callTool(call), client.callTool(call), client.callTool({ name: "slow" })]);
    expect(asked(server)).toEqual([{}, {}, {}]);
    expect(server.methods.filter((method) => method === "tools/list")).toHaveLength(2);
  });

  test("lists the tools again when the server refuses the call, and repeats it once if that changes something", async () => {
    const { client, server } = await connectTo(R4);
    server.on["tools/call"] = () => done;
    await client.callTool({ name: "fast" });
    server.tools.splice(2, 1, {
      name: "fast",
      inputSchema: { type: "object" },
      execution: { taskSupport: "required" },
    });
    server.script([task("working"), task("completed", 1)]);
    const create = server.on["tools/call"];
    server.on["tools/call"] = (params, message) => {
      if (!params["task"]) throw new RpcFailure(-32601, "requires a task");
      return create(params, message);
    };
    expect(await client.callTool({ name: "fast" })).toMatchObject(done);
    expect(asked(server)).toEqual([undefined, undefined, {}]);
    server.on["tools/call"] = () => {
      throw new RpcFailure(-32601, "gone");
    };
    await expect(client.callTool({ name: "maybe" })).rejects.toMatchObject({ code: -32601 });
    expect(asked(server)).toHaveLength(4);
  });

  test("rejects a task that it did not ask for", async () => {
    const { client, server } = await connectTo(R4);
    server.on["tools/call"] = () => server.created(task("working"));
    await expect(client.callTool({ name: "fast" })).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test("takes status notifications, and does not need them", async () => {
    const { client, server } = await connectTo(R4);
    server.script([task("working", 0, { pollIntervalMs: 60_000 }), task("working", 1)]);
    const result = client.callTool(call);
    await until(() => server.sent("tools/call").length > 0);
    await until(() => true);
    server.notify("notifications/tasks/status", server.task(task("completed", 5)));
    expect(await result).toMatchObject(done);
    expect(server.sent("tasks/get")).toEqual([]);
    expect(server.sent("tasks/result")).toHaveLength(1);
  });

  test("answers questions that arrive while it waits for the result, with the task in their metadata", async () => {
    const { client, server } = await connectTo(R4, { capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", ({ message }) => ({ action: "accept", content: { name: message } }));
    const related = { "io.modelcontextprotocol/related-task": { taskId: "t" } };
    server.script([task("working"), task("input_required", 1)]);
    const answers: unknown[] = [];
    server.on["tasks/result"] = async () => {
      for (const message of ["one", "two"]) {
        const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
        const { result } = await server.ask("elicitation/create", { message, requestedSchema, _meta: related });
        answers.push(result);
      }
      return { ...done, _meta: related };
    };
    expect(await client.callTool(call)).toMatchObject(done);
    expect(answers).toEqual([
      { action: "accept", content: { name: "one" }, _meta: related },
      { action: "accept", content: { name: "two" }, _meta: related },
    ]);
    expect(server.sent("tasks/result")).toHaveLength(1);
  });
});

describe("a call of a tool of 2026-07-28", () => {
  test("declares the extension, and sends no option of tasks", async () => {
    const { client, server } = await connectTo(R5);
    server.on["tools/call"] = () => server.result(done);
    expect(await client.callTool({ name: "slow" }, { task: { ttlMs: 5 } })).toMatchObject(done);
    const [params] = server.sent("tools/call");
    expect(Object.keys(params ?? {}).sort()).toEqual(["_meta", "name"]);
    expect(params?._meta?.["io.modelcontextprotocol/clientCapabilities"]).toEqual({ extensions: { [tasksId]: {} } });
    expect(server.methods).toEqual(["tools/call"]);
  });

  test("answers each question once, with one update per answer, as they appear", async () => {
    const { client, server } = await connectTo(R5, { capabilities: { elicitation: {} } });
    const handled: string[] = [];
    client.setRequestHandler("elicitation/create", ({ message }) => {
      handled.push(message);
      return { action: "accept", content: { name: message } };
    });
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
    const question = (message: string): object => ({
      method: "elicitation/create",
      params: { mode: "form", message, requestedSchema },
    });
    server.script([task("working")]);
    const states = [
      { ...task("input_required", 1), inputRequests: { a: question("A") } },
      { ...task("input_required", 1), inputRequests: { a: question("A"), b: question("B") } },
      task("working", 3),
      { ...task("completed", 4), result: server.result(done) },
    ];
    server.on["tasks/get"] = () =>
      server.result(states.length > 1 ? (states.shift() as object) : (states[0] as object));
    server.on["tasks/update"] = () => server.result({});
    const seen: string[] = [];
    expect(await client.callTool(call, { onStatus: ({ status }) => seen.push(status) })).toMatchObject(done);
    expect(handled).toEqual(["A", "B"]);
    expect(server.sent("tasks/update").map(({ taskId, inputResponses }) => ({ taskId, inputResponses }))).toEqual([
      { taskId: "t", inputResponses: { a: { action: "accept", content: { name: "A" } } } },
      { taskId: "t", inputResponses: { b: { action: "accept", content: { name: "B" } } } },
    ]);
    expect(seen).toEqual(["working", "input_required", "working", "completed"]);
  });

  test("is cancelled when it asks what this client cannot answer", async () => {
    const { client, server } = await connectTo(R5);
    server.script([task("working")]);
    const inputRequests = { a: { method: "roots/list" } };
    server.on["tasks/get"] = () => server.result({ ...task("input_required", 1), inputRequests });
    await expect(client.callTool(call)).rejects.toMatchObject({ code: "INPUT_REQUIRED_UNSUPPORTED" });
    await until(() => server.sent("tasks/cancel").length > 0);
  });

  test("answers questions before the task with a retry, and then follows the task", async () => {
    const { client, server } = await connectTo(R5, { capabilities: { roots: {} } });
    server.script([task("working"), task("completed", 1)]);
    const create = server.on["tools/call"];
    server.on["tools/call"] = (params, message) =>
      params["inputResponses"]
        ? create?.(params, message)
        : server.result({ inputRequests: { r: { method: "roots/list" } }, requestState: "s" }, "input_required");
    expect(await client.callTool(call)).toMatchObject(done);
    expect(server.sent("tools/call")).toHaveLength(2);
  });

  test("follows a task whose server runs it only for its ttlMs, and rejects a task without the extension", async () => {
    const { client, server } = await connectTo(R5, {}, []);
    server.on["tools/call"] = () => server.created(task("working"));
    await expect(client.callTool(call)).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test("of another method that responds with a task is invalid", async () => {
    const { client, server } = await connectTo(new TaskServer(R5, { prompts: {}, extensions: { [tasksId]: {} } }));
    server.on["prompts/get"] = () => server.created(task("working"));
    await expect(client.getPrompt({ name: "p" })).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test.each(["com.example/other", "task "])("with the unknown kind of result %j is invalid", async (resultType) => {
    const { client, server } = await connectTo(R5);
    server.on["tools/call"] = () => server.result(server.task(task("working")), resultType);
    await expect(client.callTool(call)).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });
});
