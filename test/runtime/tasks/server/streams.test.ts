import { describe, expect, test } from "vitest";
import { MemoryTaskStore, taskOf, type TaskStore } from "../../../../runtime/src/tasks.js";
import { describeTask } from "../../../../runtime/src/tasks/task-transitions.js";
import { claim, modern } from "../../http-server/messages.js";
import { ada, otherAda } from "../new-task.js";
import {
  accept,
  eventually,
  extensionId,
  form,
  gate,
  httpEndpoint,
  modernClient,
  present,
  type RawClient,
  sessionClient,
  taskServer,
  text,
} from "./task-servers.js";

const acknowledged = "notifications/subscriptions/acknowledged";

function workServer() {
  const made = taskServer();
  const held = gate();
  made.server.registerTool("work", { task: "optional" }, async (context) => {
    await held.passed;
    await taskOf(context)?.setStatus("asking");
    const { content } = await context.elicit("x", form("X?"));
    return text(String(content?.["value"]));
  });
  made.server.registerTool("wait", { task: "optional" }, () => new Promise<never>(() => undefined));
  return { ...made, open: held.open };
}

describe("subscriptions/listen with taskIds", () => {
  test("sends each state of the own tasks until the stream ends", async () => {
    const made = workServer();
    const client = await modernClient(made);
    const { taskId } = await client.start("work");
    const { taskId: other } = await client.start("wait");
    const listening = client.begin("subscriptions/listen", { notifications: { taskIds: [taskId, "unknown", taskId] } });
    const { params } = await client.next(acknowledged);
    expect(params?.["notifications"]).toEqual({ taskIds: [taskId] });
    made.open();
    const meta = { "io.modelcontextprotocol/subscriptionId": listening.id };
    const states: Record<string, unknown>[] = [];
    while (states.at(-1)?.["status"] !== "completed") {
      const { params: state = {} } = await client.next("notifications/tasks");
      states.push(state);
      expect(state["_meta"]).toEqual(meta);
      if (state["status"] === "input_required") {
        expect(state["inputRequests"]).toEqual({ q1: { method: "elicitation/create", params: form("X?") } });
        await client.ask("tasks/update", { taskId, inputResponses: { q1: accept("yes") } });
        await client.ask("tasks/cancel", { taskId: other });
      }
    }
    expect(states.every((state) => state["taskId"] === taskId)).toBe(true);
    expect(states[0]).toMatchObject({ status: "working", statusMessage: "asking" });
    const { _meta, ...last } = states.at(-1) ?? {};
    const { _meta: _, resultType, ...polled } = await client.get(taskId);
    expect(last).toEqual(polled);
    expect([_meta, resultType]).toEqual([meta, "complete"]);
  });

  test("sends nothing after the client has ended the stream", async () => {
    const made = workServer();
    const client = await modernClient(made);
    const { taskId } = await client.start("work");
    const { id } = client.begin("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await client.next(acknowledged);
    client.send({ method: "notifications/cancelled", params: { requestId: id } });
    made.open();
    await client.reaches(taskId, "input_required");
    expect(client.inbox).toEqual([]);
  });

  test("sends no state after a newer one, and none twice, when the store returns them in another order", async () => {
    const store = new MemoryTaskStore();
    const reads: (() => void)[] = [];
    let isHeld = false;
    const get: TaskStore["get"] = (id, owner) => {
      const record = store.get(id, owner);
      return isHeld ? new Promise((resolve) => reads.push(() => resolve(record))) : record;
    };
    const slow = new Proxy(store, {
      get: (_, name) => {
        const value: unknown = name === "get" ? get : Reflect.get(store, name, store);
        return typeof value === "function" && name !== "get" ? (value as () => void).bind(store) : value;
      },
    });
    const made = taskServer({ store: slow });
    made.server.registerTool("wait", { task: "optional" }, () => new Promise<never>(() => undefined));
    const client = await modernClient(made);
    const session = await sessionClient(made);
    const { taskId } = await client.start("wait");
    const { taskId: other } = await session.start("wait");
    client.begin("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await client.next(acknowledged);
    await client.get(taskId);
    isHeld = true;
    for (const id of [taskId, other])
      for (const message of ["one", "two", "three"])
        store.update(present(describeTask(present(store.get(id, null)), message, Date.now())));
    isHeld = false;
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const read of reads.reverse()) read();
    const messages = (raw: RawClient, method: string): unknown[] =>
      raw.inbox.filter((one) => one.method === method).map(({ params }) => params?.["statusMessage"]);
    await client.next("notifications/tasks").then(({ params }) => expect(params?.["statusMessage"]).toBe("three"));
    await session
      .next("notifications/tasks/status")
      .then(({ params }) => expect(params?.["statusMessage"]).toBe("three"));
    await client.get(taskId);
    await session.get(other);
    expect(messages(client, "notifications/tasks")).toEqual([]);
    expect(messages(session, "notifications/tasks/status")).toEqual([]);
  });

  test("is rejected for a client that does not declare the extension", async () => {
    const client = await modernClient(workServer(), {});
    expect((await client.ask("subscriptions/listen", { notifications: { taskIds: ["x"] } })).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [extensionId]: {} } } },
    });
  });

  const invalid: readonly (readonly [string, unknown, RegExp])[] = [
    ["a string", "x", /notifications\.taskIds does not match/],
    ["an array of numbers", [1], /notifications\.taskIds does not match/],
    ["null", null, /notifications\.taskIds does not match/],
    ["1,001 ids", Array.from({ length: 1_001 }, (_, at) => String(at)), /1000/],
  ];
  test.each(invalid)("rejects taskIds that are %s", async (_, taskIds, message) => {
    const client = await modernClient(workServer());
    const { error } = await client.ask("subscriptions/listen", { notifications: { taskIds } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) as unknown });
  });

  test("grants no task of 2025-11-25", async () => {
    const made = workServer();
    const { taskId } = await (await sessionClient(made)).start("wait");
    const client = await modernClient(made);
    client.begin("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    expect((await client.next(acknowledged)).params?.["notifications"]).toEqual({ taskIds: [] });
  });

  test("goes on after the store could not be read", async () => {
    const made = workServer();
    const client = await modernClient(made);
    const { taskId } = await client.start("wait");
    client.begin("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await client.next(acknowledged);
    const { store } = made;
    const get = store.get.bind(store);
    store.get = () => {
      throw new Error("unreadable");
    };
    const record = present(await get(taskId, null));
    const second = { ...record, version: 2, statusMessage: "second" };
    await store.update(second);
    await eventually(() => expect(made.errors.map(String)).toContain("Error: unreadable"));
    store.get = get;
    await store.update({ ...second, version: 3, statusMessage: "third" });
    expect((await client.next("notifications/tasks")).params).toMatchObject({ statusMessage: "third" });
  });
});

describe("over HTTP", () => {
  test("the tasks of a principal do not exist for others", async () => {
    const http = httpEndpoint(workServer());
    const created = await http.ask("tools/call", { name: "wait" }, { principal: ada, headers: { "mcp-name": "wait" } });
    const taskId = String(created.result?.["taskId"]);
    const foreign = [{ principal: otherAda }, { principal: { ...ada, subject: "bob" } }, {}];
    for (const who of foreign) {
      const unknown = await http.ask("tasks/get", { taskId: "unknown" }, who);
      expect(unknown.error?.code).toBe(-32602);
      expect((await http.ask("tasks/get", { taskId }, who)).error).toEqual(unknown.error);
      expect((await http.ask("tasks/update", { taskId, inputResponses: {} }, who)).error).toEqual(unknown.error);
      expect((await http.ask("tasks/cancel", { taskId }, who)).error).toEqual(unknown.error);
    }
    expect((await http.ask("tasks/get", { taskId }, { principal: ada })).result).toMatchObject({ status: "working" });
    expect((await http.ask("tasks/cancel", { taskId }, { principal: ada })).result).toBeDefined();
  });

  test("a stream grants only the own tasks of the principal", async () => {
    const http = httpEndpoint(workServer());
    const created = await http.ask("tools/call", { name: "wait" }, { principal: ada, headers: { "mcp-name": "wait" } });
    const taskId = String(created.result?.["taskId"]);
    for (const [principal, granted] of [
      [ada, [taskId]],
      [otherAda, []],
    ] as const) {
      const sent = modern(1, "subscriptions/listen", { notifications: { taskIds: [taskId] } });
      const _meta = claim({ extensions: { [extensionId]: {} } });
      const body = { ...(sent.body as object), params: { notifications: { taskIds: [taskId] }, _meta } };
      const response = await http.handler.fetch(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: sent.headers as Record<string, string>,
          body: JSON.stringify(body),
        }),
        { principal },
      );
      const reader = present(response.body as ReadableStream<Uint8Array> | undefined).getReader();
      let data = "";
      while (!data.includes(acknowledged)) {
        const { value, done } = await reader.read();
        if (done) break;
        data += new TextDecoder().decode(value);
      }
      await reader.cancel();
      expect(data).toContain(`"taskIds":${JSON.stringify(granted)}`);
    }
  });

  test.each([
    ["tasks/get", {}],
    ["tasks/cancel", {}],
    ["tasks/update", { inputResponses: {} }],
  ])("%s with another Mcp-Name is rejected", async (method, more) => {
    const http = httpEndpoint(workServer());
    const created = await http.ask("tools/call", { name: "wait" }, { headers: { "mcp-name": "wait" } });
    const taskId = String(created.result?.["taskId"]);
    const refused = await http.ask(method, { taskId, ...more }, { headers: { "mcp-name": "other" } });
    expect([refused.httpStatus, refused.error?.code]).toEqual([400, -32020]);
    expect((await http.ask(method, { taskId, ...more })).result).toBeDefined();
  });

  test("a task outlives the request that created it", async () => {
    const made = workServer();
    const http = httpEndpoint(made);
    const created = await http.ask("tools/call", { name: "work" }, { headers: { "mcp-name": "work" } });
    const taskId = String(created.result?.["taskId"]);
    made.open();
    await eventually(async () =>
      expect((await http.ask("tasks/get", { taskId })).result).toMatchObject({ status: "input_required" }),
    );
    await http.ask("tasks/update", { taskId, inputResponses: { q1: accept("fine") } });
    await eventually(async () =>
      expect((await http.ask("tasks/get", { taskId })).result).toMatchObject({
        status: "completed",
        result: text("fine"),
      }),
    );
  });

  test.each([
    ["not declared", {}, -32021, 400],
    ["declared", { extensions: { [extensionId]: {} } }, -32602, 200],
  ])("errors have a status: %s", async (_, capabilities, code, status) => {
    const answer = await httpEndpoint(workServer()).ask("tasks/get", { taskId: "x" }, { capabilities });
    expect([answer.error?.code, answer.httpStatus]).toEqual([code, status]);
  });
});
