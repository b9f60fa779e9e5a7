import { describe, expect, test } from "vitest";
import { inputRequired } from "../../../../runtime/src/server.js";
import { accept, form, type Handler, relatedTask, startedInSession as started, text } from "./task-servers.js";

const related = (taskId: string) => ({ [relatedTask]: { taskId } });

describe("questions", () => {
  const ask: Handler = async (context) => text(String((await context.elicit("x", form("X?"))).content?.["value"]));

  test("are sent while the client waits for the result, once, and answered", async () => {
    const { client, taskId, errors } = await started(ask);
    await client.reaches(taskId, "input_required");
    expect(client.inbox.filter(({ id }) => id !== undefined)).toEqual([]);
    const waiting = [client.ask("tasks/result", { taskId }), client.ask("tasks/result", { taskId })];
    const question = await client.next("elicitation/create");
    expect(question.params).toEqual({ ...form("X?"), _meta: related(taskId) });
    client.send({ id: question.id, result: accept("yes") });
    for (const { result } of await Promise.all(waiting)) expect(result).toMatchObject(text("yes"));
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

  test("fail for a client without the capability", async () => {
    const { client, taskId } = await started(ask, {}, {});
    expect((await client.ask("tasks/result", { taskId })).result).toMatchObject({ isError: true });
    expect((await client.get(taskId)).status).toBe("failed");
  });

  test("end with the cancellation of the task", async () => {
    const { client, taskId, errors } = await started(ask);
    const waiting = client.ask("tasks/result", { taskId });
    const { id } = await client.next("elicitation/create");
    await client.ask("tasks/cancel", { taskId });
    expect((await waiting).error).toBeDefined();
    client.send({ id, result: accept("late") });
    expect((await client.get(taskId)).status).toBe("cancelled");
    expect(errors).toEqual([]);
  });
});
