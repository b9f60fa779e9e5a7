import { describe, expect, test } from "vitest";
import { z } from "zod";
import { taskOf, type TaskSupport, type ToolTaskOptions } from "../../../../runtime/src/tasks.js";
import type { Principal } from "../../../../runtime/src/transport/principal.js";
import { ada } from "../new-task.js";
import {
  capable,
  extensionId,
  form,
  gate,
  httpEndpoint,
  modernClient,
  sessionClient,
  taskServer,
  text,
} from "./task-servers.js";

const missingTasks = {
  code: -32021,
  data: { requiredCapabilities: { extensions: { [extensionId]: {} } } },
};

function echoServer(task: TaskSupport | ToolTaskOptions | undefined) {
  const made = taskServer();
  made.server.registerTool(
    "echo",
    { ...(task && { task }), inputSchema: z.object({ say: z.string() }) },
    ({ say }, context) => text(`${say} ${taskOf(context) ? "in a task" : "at once"}`),
  );
  return made;
}

describe("a call of 2026-07-28", () => {
  const cases: readonly (readonly [string, TaskSupport | undefined, object, object])[] = [
    ["optional, declared", "optional", capable, { result: { resultType: "task", status: "working" } }],
    ["required, declared", "required", capable, { result: { resultType: "task", status: "working" } }],
    ["no task, declared", undefined, capable, { result: { resultType: "complete", ...text("hi at once") } }],
    ["optional, not declared", "optional", {}, { result: { resultType: "complete", ...text("hi at once") } }],
    ["required, not declared", "required", {}, { error: missingTasks }],
    ["no task, not declared", undefined, {}, { result: { resultType: "complete", ...text("hi at once") } }],
  ];
  test.each(cases)("of a tool: %s", async (_, task, capabilities, expected) => {
    const client = await modernClient(echoServer(task), capabilities);
    expect(await client.call("echo", { say: "hi" })).toMatchObject(expected);
  });

  test("creates a task whose members are those of the result", async () => {
    const client = await modernClient(echoServer({ support: "optional", ttlMs: 5_000, pollIntervalMs: 20 }));
    const { result } = await client.call("echo", { say: "hi" });
    expect(Object.keys(result ?? {}).sort()).toEqual(
      ["_meta", "createdAt", "lastUpdatedAt", "pollIntervalMs", "resultType", "status", "taskId", "ttlMs"].sort(),
    );
    expect(result).toMatchObject({ ttlMs: 5_000, pollIntervalMs: 20 });
    expect(new Date(String(result?.["createdAt"])).toISOString()).toBe(result?.["createdAt"]);
    expect(String(result?.["taskId"])).toMatch(/^[\w-]{43}$/);
  });

  test("ignores params.task", async () => {
    const client = await modernClient(echoServer(undefined));
    expect((await client.call("echo", { say: "hi" }, { task: { ttl: 1 } })).result).toMatchObject(text("hi at once"));
  });

  test("with invalid arguments creates no task", async () => {
    const client = await modernClient(echoServer("required"));
    expect((await client.call("echo", { say: 1 })).result).toMatchObject({ resultType: "complete", isError: true });
  });

  test("is answered before the tool has ended", async () => {
    const made = taskServer();
    const { passed, open } = gate();
    made.server.registerTool("wait", { task: "optional" }, () => passed.then(() => text("late")));
    const client = await modernClient(made);
    const { taskId } = await client.start("wait");
    expect((await client.get(taskId)).status).toBe("working");
    open();
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("late"));
  });

  test("gets its input requests answered before the task", async () => {
    const made = taskServer();
    made.server.registerTool(
      "greet",
      { task: "required", inputRequests: () => ({ who: { method: "elicitation/create", params: form("Who?") } }) },
      (_context, { who }) => text(JSON.stringify(who)),
    );
    const client = await modernClient(made);
    const asked = await client.call("greet");
    expect(asked.result).toMatchObject({ resultType: "input_required", inputRequests: { who: {} } });
    const who = { action: "accept", content: { value: "Ada" } };
    const created = await client.call("greet", undefined, {
      inputResponses: { who },
      requestState: asked.result?.["requestState"],
    });
    expect(created.result).toMatchObject({ resultType: "task" });
    const task = await client.reaches(String(created.result?.["taskId"]), "completed");
    expect(task["result"]).toMatchObject(text(JSON.stringify(who)));
  });

  test("passes its task through middleware", async () => {
    const seen: unknown[] = [];
    const made = taskServer(
      {},
      {
        middleware: [
          async ({ method }, next) => {
            const result = await next();
            if (method === "tools/call") seen.push((result as { resultType?: unknown }).resultType);
            return result;
          },
        ],
      },
    );
    made.server.registerTool("echo", { task: "optional" }, () => text("hi"));
    const client = await modernClient(made);
    const { taskId } = await client.start("echo");
    expect(seen).toEqual(["task"]);
    expect((await client.reaches(taskId, "completed"))["result"]).toMatchObject(text("hi"));
  });

  test("that is cancelled while the store creates the task leaves no task", async () => {
    const made = taskServer();
    const { store } = made;
    const { passed, open } = gate();
    let id: string | undefined;
    const create = store.create.bind(store);
    store.create = async (record, request) => {
      await passed;
      id = record.id;
      await create(record, request);
    };
    let runs = 0;
    made.server.registerTool("count", { task: "optional" }, () => text(String(++runs)));
    const client = await modernClient(made);
    const { id: requestId } = client.begin("tools/call", { name: "count" });
    client.send({ method: "notifications/cancelled", params: { requestId } });
    await new Promise((resolve) => setTimeout(resolve, 5));
    open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(id).toBeDefined();
    expect(await store.get(String(id), null)).toBeUndefined();
    expect(runs).toBe(0);
  });
});

describe("declarations", () => {
  test("discover of 2026-07-28 has the extension, and not the capability of 2025-11-25", async () => {
    const { result } = await (await modernClient(echoServer("optional"))).ask("server/discover");
    expect(result?.["capabilities"]).toMatchObject({ extensions: { [extensionId]: {} } });
    expect(result?.["capabilities"]).not.toHaveProperty("tasks");
  });

  test.each([
    ["2025-11-25", { cancel: {}, requests: { tools: { call: {} } } }],
    ["2025-06-18", undefined],
    ["2024-11-05", undefined],
  ])("initialize of %s", async (revision, declared) => {
    const client = await sessionClient(echoServer("optional"), {}, revision);
    const capabilities = client.initialized.result?.["capabilities"] as { tasks?: object; extensions?: object };
    expect(capabilities.tasks).toEqual(declared);
    expect(capabilities.extensions).toBeUndefined();
  });

  test("initialize of 2025-11-25 declares lists to clients with a principal", async () => {
    const http = httpEndpoint(echoServer("optional"));
    const declared = { cancel: {}, requests: { tools: { call: {} } } };
    const tasks = async (principal?: Principal) => {
      const { initialized } = await http.session(principal);
      return (initialized.result?.["capabilities"] as { tasks?: object }).tasks;
    };
    expect(await tasks()).toEqual(declared);
    expect(await tasks(ada)).toEqual({ ...declared, list: {} });
  });

  const lists: readonly (readonly [string, TaskSupport | undefined, object | undefined])[] = [
    ["2026-07-28", "required", undefined],
    ["2025-11-25", "required", { taskSupport: "required" }],
    ["2025-11-25", "optional", { taskSupport: "optional" }],
    ["2025-11-25", undefined, undefined],
    ["2025-06-18", "required", undefined],
  ];
  test.each(lists)("tools/list of %s with task %s", async (revision, task, execution) => {
    const made = echoServer(task);
    const client = revision === "2026-07-28" ? await modernClient(made) : await sessionClient(made, {}, revision);
    const { result } = await client.ask("tools/list");
    const [tool] = result?.["tools"] as [{ execution?: object }];
    expect(tool.execution).toEqual(execution);
  });
});

test.each([
  ["ttlMs", { ttlMs: Number.NaN }],
  ["leaseMs", { leaseMs: -1 }],
  ["maxAttempts", { maxAttempts: Number.NaN }],
])("an invalid %s is rejected", (name, options) => {
  expect(() => taskServer(options)).toThrow(name);
});

const asOption = (support: string): unknown => ({ support });

test.each([
  ["null", null, /must be "optional", "required" or an object/],
  ["true", true, /must be "optional", "required" or an object/],
  ["forbidden", "forbidden", /not "forbidden"; leave the option out/],
  ["no support", {}, /support must be/],
  ["another support", asOption("always"), /support must be .* not "always"/],
  ["restartable", { support: "optional", restartable: "yes" }, /restartable must be a boolean/],
  ["a negative ttlMs", { support: "optional", ttlMs: -1 }, /ttlMs must be milliseconds/],
  ["an infinite ttlMs", { support: "optional", ttlMs: Infinity }, /null for no limit/],
  ["a ttlMs as text", { support: "optional", ttlMs: "1h" }, /ttlMs must be milliseconds/],
  ["pollIntervalMs", { support: "required", pollIntervalMs: 0.5 }, /pollIntervalMs must be milliseconds/],
  ["immediateResponse", { support: "required", immediateResponse: 1 }, /immediateResponse must be a string/],
])("an invalid option task is rejected when the tool is registered or changed: %s", (_, task, message) => {
  const { server } = taskServer();
  const config = { task: task as "optional" };
  expect(() => server.registerTool("work", config, () => text("x"))).toThrow(message);
  expect(() => server.registerTool("work", config, () => text("x"))).toThrow(/tool "work", option task/);
  const registered = server.registerTool("work", { task: "optional" }, () => text("x"));
  expect(() => registered.update(config)).toThrow(message);
});
