import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../../../runtime/src/index.js";
import { taskReceiver, tasks } from "../../../../runtime/src/tasks/client.js";
import { connectClient, R4, R5 } from "../../connection/connection-ends.js";
import { connectTo, TaskServer, until } from "./task-server.js";

const capabilities = { sampling: {}, elicitation: {} };
const asked = { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 5 };
const answer = { role: "assistant", model: "m", content: { type: "text", text: "!" } } as const;
const related = (taskId: string): object => ({ "io.modelcontextprotocol/related-task": { taskId } });

interface Created {
  readonly task: { readonly taskId: string; readonly status: string; readonly ttl: number };
}

async function receiving(handler: (signal: AbortSignal) => Promise<typeof answer> | typeof answer) {
  const connected = await connectTo(R4, { capabilities }, [tasks({ receiver: taskReceiver() })]);
  connected.client.setRequestHandler("sampling/createMessage", (_params, { signal }) => handler(signal));
  const { server } = connected;
  const create = async (task: object): Promise<Created["task"]> => {
    const { result } = await server.ask("sampling/createMessage", { ...asked, task });
    return (result as unknown as Created).task;
  };
  return { ...connected, create };
}

describe("a client that receives tasks", () => {
  test("runs the handler as a task, whose result the server requests", async () => {
    let finish = (): void => undefined;
    const { server, create, errors } = await receiving(
      () => new Promise((resolve) => (finish = () => resolve(answer))),
    );
    const { taskId, status, ttl } = await create({ ttl: 60_000 });
    expect([status, ttl]).toEqual(["working", 60_000]);
    expect(taskId).toMatch(/^[\da-f-]{36}$/);
    expect((await server.ask("tasks/get", { taskId })).result).toMatchObject({
      taskId,
      status: "working",
      pollInterval: 1_000,
    });
    const waiting = server.ask("tasks/result", { taskId });
    finish();
    expect((await waiting).result).toEqual({ ...answer, _meta: related(taskId) });
    expect((await server.ask("tasks/result", { taskId })).result).toEqual({ ...answer, _meta: related(taskId) });
    expect((await server.ask("tasks/get", { taskId })).result).toMatchObject({ status: "completed" });
    expect(server.sent("notifications/tasks/status")).toEqual([
      expect.objectContaining({ taskId, status: "completed" }),
    ]);
    expect(errors).toEqual([]);
  });

  test("responds at once to a request that is not to run as a task", async () => {
    const { server } = await receiving(() => answer);
    expect((await server.ask("sampling/createMessage", asked)).result).toEqual(answer);
    expect((await server.ask("tasks/list", {})).result).toEqual({ tasks: [] });
  });

  test("passes on the error of the handler, and hides one that is not for the server", async () => {
    for (const [failure, error, reported] of [
      [
        new ProtocolError(-1, "the user declined", { why: "x" }),
        { code: -1, message: "the user declined", data: { why: "x" } },
        0,
      ],
      [new Error("secret"), { code: -32603, message: "Internal error" }, 1],
    ] as const) {
      const { server, create, errors } = await receiving(() => Promise.reject(failure));
      const { taskId } = await create({});
      expect((await server.ask("tasks/result", { taskId })).error).toEqual(error);
      expect((await server.ask("tasks/get", { taskId })).result).toMatchObject({
        status: "failed",
        statusMessage: error.message,
      });
      expect(errors).toHaveLength(reported);
    }
  });

  test("cancels a task once: the handler is aborted, and its result is ignored", async () => {
    const signals: AbortSignal[] = [];
    const { server, create, errors } = await receiving((signal) => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(answer)));
    });
    const { taskId } = await create({});
    const waiting = server.ask("tasks/result", { taskId });
    expect((await server.ask("tasks/cancel", { taskId })).result).toMatchObject({ taskId, status: "cancelled" });
    expect((await waiting).error).toMatchObject({ message: "The task was cancelled" });
    await until(() => signals[0]?.aborted === true);
    expect((await server.ask("tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });
    expect((await server.ask("tasks/cancel", { taskId })).error).toMatchObject({ code: -32602 });
    expect(errors).toEqual([]);
  });

  test("deletes a task that has expired, and aborts its handler", async () => {
    const signals: AbortSignal[] = [];
    const { server, create } = await receiving((signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const { taskId } = await create({ ttl: 30 });
    expect((await server.ask("tasks/result", { taskId })).error).toMatchObject({ code: -32602 });
    expect((await server.ask("tasks/get", { taskId })).error).toMatchObject({ code: -32602 });
    await until(() => signals[0]?.aborted === true);
  });

  test("lists the tasks of the server by pages, and refuses a cursor that it did not create", async () => {
    const { server, create } = await receiving(() => answer);
    const ids: string[] = [];
    for (let count = 0; count < 130; count++) ids.push((await create({})).taskId);
    const first = (await server.ask("tasks/list", {})).result as unknown as {
      tasks: Created["task"][];
      nextCursor: string;
    };
    expect(first.tasks).toHaveLength(100);
    const second = (await server.ask("tasks/list", { cursor: first.nextCursor })).result as typeof first;
    expect([...first.tasks, ...second.tasks].map(({ taskId }) => taskId)).toEqual(ids);
    expect(second.nextCursor).toBeUndefined();
    expect((await server.ask("tasks/list", { cursor: "?" })).error).toMatchObject({ code: -32602 });
  });

  test.each(["tasks/get", "tasks/result", "tasks/cancel"])("refuses an unknown id in %s", async (method) => {
    const { server } = await receiving(() => answer);
    expect((await server.ask(method, { taskId: "x" })).error).toMatchObject({ code: -32602 });
    expect((await server.ask(method, {})).error).toMatchObject({ code: -32602 });
  });

  test("shows a task to no other server", async () => {
    const { client, server, create } = await receiving(() => answer);
    const { taskId } = await create({});
    await client.close();
    const other = new TaskServer(R4);
    await client.connect(other);
    expect((await other.ask("tasks/get", { taskId })).error).toMatchObject({ code: -32602 });
    expect((await other.ask("tasks/list", {})).result).toEqual({ tasks: [] });
    await client.close();
    await client.connect(server);
    expect((await server.ask("tasks/get", { taskId })).result).toMatchObject({ taskId });
  });

  test("creates no more than 1,000 tasks for a server", async () => {
    const { server, create } = await receiving(() => answer);
    for (let count = 0; count < 1_000; count++) await create({});
    const { error } = await server.ask("sampling/createMessage", { ...asked, task: {} });
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("maxTasksPerOwner") as string });
  });
});

describe("the capability tasks", () => {
  const declared = async (revision: string, given: object, extension = tasks({ receiver: taskReceiver() })) => {
    const { client } = await connectClient(revision, { capabilities: given, extensions: [extension] });
    return client.connection.capabilities as Record<string, unknown>;
  };

  test("is declared to servers of the generation that has it, for what the client offers", async () => {
    expect((await declared(R4, capabilities))["tasks"]).toEqual({
      list: {},
      cancel: {},
      requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
    });
    expect((await declared(R4, { sampling: {} }))["tasks"]).toMatchObject({
      requests: { sampling: { createMessage: {} } },
    });
    expect((await declared(R5, capabilities))["tasks"]).toBeUndefined();
  });

  test("is not declared without a receiver, and requests then ignore that the server asks for a task", async () => {
    expect((await declared(R4, capabilities, tasks()))["tasks"]).toBeUndefined();
    const { client, server } = await connectTo(R4, { capabilities }, [tasks()]);
    client.setRequestHandler("sampling/createMessage", () => answer);
    expect((await server.ask("sampling/createMessage", { ...asked, task: {} })).result).toEqual(answer);
    expect((await server.ask("tasks/list", {})).error).toMatchObject({ code: -32601 });
  });
});
