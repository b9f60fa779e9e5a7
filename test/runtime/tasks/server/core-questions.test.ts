import { describe, expect, test } from "vitest";
import { inputRequired } from "../../../../runtime/src/server.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks.js";
import {
  accept,
  eventually,
  form,
  type Handler,
  httpEndpoint,
  type Message,
  relatedTask,
  sessionClient,
  startedInSession as started,
  type Task,
  taskServer,
  text,
} from "./task-servers.js";

const related = (taskId: string) => ({ [relatedTask]: { taskId } });

describe("questions", () => {
  const ask: Handler = async (context) => text(String((await context.elicit("x", form("X?"))).content?.["value"]));

  test("are sent while the client waits for the result, once, and answered", async () => {
    const { client, taskId, errors } = await started(ask);
    const waiting = [client.ask("tasks/result", { taskId }), client.ask("tasks/result", { taskId })];
    const question = await client.next("elicitation/create");
    expect(question.params).toEqual({ ...form("X?"), _meta: related(taskId) });
    client.send({ id: question.id, result: accept("yes") });
    for (const { result } of await Promise.all(waiting)) expect(result).toMatchObject(text("yes"));
    expect(client.inbox.filter(({ method }) => method === "elicitation/create")).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("are sent after the first tasks/get, too, once", async () => {
    const { client, taskId, errors } = await started(ask);
    expect((await client.next("notifications/tasks/status")).params?.["status"]).toBe("input_required");
    await client.ask("ping");
    expect(client.inbox).toEqual([]);
    await client.get(taskId);
    const question = await client.next("elicitation/create");
    expect(question.params).toEqual({ ...form("X?"), _meta: related(taskId) });
    await client.get(taskId);
    const waiting = client.ask("tasks/result", { taskId });
    await client.reaches(taskId, "input_required");
    client.send({ id: question.id, result: accept("yes") });
    expect((await waiting).result).toMatchObject(text("yes"));
    expect(client.inbox.filter(({ method }) => method === "elicitation/create")).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("are asked again by the next request, when the first one was cancelled", async () => {
    const { client, taskId } = await started(ask);
    const { id } = client.begin("tasks/result", { taskId });
    await client.next("elicitation/create");
    client.send({ method: "notifications/cancelled", params: { requestId: id } });
    await client.next("notifications/cancelled");
    expect((await client.get(taskId)).status).toBe("input_required");
    const waiting = client.ask("tasks/result", { taskId });
    const { id: again } = await client.next("elicitation/create");
    client.send({ id: again, result: accept("second") });
    expect((await waiting).result).toMatchObject(text("second"));
  });

  test.each([
    ["an error", { error: { code: -32000, message: "no user" } }, "no user"],
    ["an invalid response", { result: { action: "maybe" } }, "invalid"],
  ])("whose response is %s reject the wait of the tool", async (_, response, message) => {
    const { client, taskId } = await started((context) =>
      context.elicit("x", form("X?")).then(
        () => text("answered"),
        (error: unknown) => text(String(error)),
      ),
    );
    const waiting = client.ask("tasks/result", { taskId });
    const { id } = await client.next("elicitation/create");
    client.send({ id, ...response });
    expect(JSON.stringify((await waiting).result)).toContain(message);
    expect((await client.get(taskId)).status).toBe("completed");
  });

  test("that a tool returns as inputRequired are sent, too", async () => {
    const { client, taskId } = await started((context) => {
      if (context.inputResponses) return text(JSON.stringify(context.inputResponses));
      return inputRequired({ inputRequests: { x: { method: "elicitation/create", params: form("X?") } } });
    });
    const waiting = client.ask("tasks/result", { taskId });
    const { id } = await client.next("elicitation/create");
    client.send({ id, result: accept("yes") });
    expect((await waiting).result).toMatchObject(text(JSON.stringify({ x: accept("yes") })));
  });

  test("that a tool returns, and the client rejects, end the task like the call", async () => {
    const { client, taskId } = await started(() =>
      inputRequired({ inputRequests: { x: { method: "elicitation/create", params: form("X?") } } }),
    );
    const waiting = client.ask("tasks/result", { taskId });
    const { id } = await client.next("elicitation/create");
    client.send({ id, error: { code: -32000, message: "no user" } });
    expect((await waiting).result).toMatchObject({ ...text("no user"), isError: true });
  });

  test("are cancelled when the tool no longer waits for them", async () => {
    const over = new AbortController();
    const { client, taskId, errors } = await started((context) =>
      context.elicit("x", form("X?"), { signal: over.signal }).then(
        () => text("answered"),
        (error: unknown) => text(String(error)),
      ),
    );
    await client.get(taskId);
    const question = await client.next("elicitation/create");
    over.abort(new Error("not needed"));
    expect((await client.next("notifications/cancelled")).params?.["requestId"]).toBe(question.id);
    await client.reaches(taskId, "completed");
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject(text("Error: not needed"));
    expect(errors).toEqual([]);
  });

  test("wait for a session that can answer them", async () => {
    const { client, taskId, ...made } = await started(ask);
    await client.get(taskId);
    await client.next("elicitation/create");
    await client.close();
    const other = await sessionClient(made, {});
    const { id } = other.begin("tasks/result", { taskId });
    expect((await other.get(taskId)).status).toBe("input_required");
    other.send({ method: "notifications/cancelled", params: { requestId: id } });
    const able = await sessionClient(made);
    const waiting = able.ask("tasks/result", { taskId });
    const question = await able.next("elicitation/create");
    expect(other.inbox.filter(({ method }) => method === "elicitation/create")).toEqual([]);
    able.send({ id: question.id, result: accept("able") });
    expect((await waiting).result).toMatchObject(text("able"));
  });

  test("fail for a client without the capability", async () => {
    const { client, taskId } = await started(ask, {}, {});
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject({ isError: true });
    expect((await client.get(taskId)).status).toBe("failed");
  });

  test("end with the cancellation of the task", async () => {
    const { client, taskId } = await started(ask);
    const waiting = client.ask("tasks/result", { taskId });
    const { id } = await client.next("elicitation/create");
    await client.ask("tasks/cancel", { taskId });
    expect((await waiting).error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/cancelled/) as unknown,
    });
    expect((await client.next("notifications/cancelled")).params?.["requestId"]).toBe(id);
    client.send({ id, result: accept("late") });
    expect((await client.get(taskId)).status).toBe("cancelled");
  });
});

describe("questions over HTTP", () => {
  const server = () => {
    const made = taskServer();
    made.server.registerTool("work", { task: "optional" }, async (context) =>
      text(String((await context.elicit("x", form("X?"))).content?.["value"])),
    );
    return made;
  };
  const start = async (session: Awaited<ReturnType<ReturnType<typeof httpEndpoint>["session"]>>): Promise<string> =>
    ((await session("tools/call", { name: "work", task: {} })).result?.["task"] as Task).taskId;
  const reaches = (session: Awaited<ReturnType<ReturnType<typeof httpEndpoint>["session"]>>, taskId: string) =>
    eventually(async () =>
      expect((await session("tasks/get", { taskId })).result).toMatchObject({ status: "input_required" }),
    );
  const questions = (inbox: readonly Message[]): Message[] =>
    inbox.filter(({ method }) => method === "elicitation/create");

  test("are sent on the stream of the session, without tasks/result, when the client has read the task", async () => {
    const session = await httpEndpoint(server()).session();
    const inbox = await session.listen();
    const taskId = await start(session);
    // The stream and the response are different connections: the client might receive the question before the task.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(questions(inbox)).toEqual([]);
    await reaches(session, taskId);
    await eventually(() => expect(questions(inbox)).toHaveLength(1));
    const [question] = questions(inbox);
    expect(question?.params).toEqual({ ...form("X?"), _meta: related(taskId) });
    await session.respond({ id: question?.id, result: accept("streamed") });
    expect((await session("tasks/result", { taskId })).result).toMatchObject(text("streamed"));
  });

  test("wait for the stream, and are sent at the next tasks/get", async () => {
    const session = await httpEndpoint(server()).session();
    const taskId = await start(session);
    await reaches(session, taskId);
    const inbox = await session.listen();
    expect(questions(inbox)).toEqual([]);
    await reaches(session, taskId);
    await eventually(() => expect(questions(inbox)).toHaveLength(1));
    await session.respond({ id: questions(inbox)[0]?.id, result: accept("later") });
    expect((await session("tasks/result", { taskId })).result).toMatchObject(text("later"));
    expect(questions(inbox)).toHaveLength(1);
  });

  test("are sent in the response to tasks/result, if there is no other stream", async () => {
    const http = httpEndpoint(server());
    const session = await http.session();
    const taskId = await start(session);
    await reaches(session, taskId);
    const { inbox, end } = await session.open("tasks/result", { taskId });
    await eventually(() => expect(questions(inbox)).toHaveLength(1));
    await session.respond({ id: questions(inbox)[0]?.id, result: accept("in the response") });
    await end;
    expect(inbox.at(-1)?.result).toMatchObject(text("in the response"));
  });
});

test("a session that has ended is released at the next change of any task, also if nothing is known of its own", async () => {
  let listeners = 0;
  class Watched extends MemoryTaskStore {
    override subscribe(listener: (id: string) => void): () => void {
      listeners++;
      const end = super.subscribe(listener);
      return () => {
        listeners--;
        end();
      };
    }
  }
  const { client, ...made } = await started(() => text("done"), { store: new Watched() });
  const before = listeners;
  await client.close();
  const other = await sessionClient(made);
  await other.start("work");
  await eventually(() => expect(listeners).toBe(before));
});
