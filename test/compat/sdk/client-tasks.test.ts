import { Client as OriginalClient } from "@modelcontextprotocol/sdk/client/index.js";
import * as originalTasks from "@modelcontextprotocol/sdk/experimental/tasks";
import * as originalTypes from "@modelcontextprotocol/sdk/types.js";
import { Client as OwnClient } from "@mcpwright/compat/sdk/client/index.js";
import * as ownTasks from "@mcpwright/compat/sdk/experimental/tasks";
import * as ownTypes from "@mcpwright/compat/sdk/types.js";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { original, own, type Sdk } from "./servers.js";

interface ClientSdk {
  readonly sdk: Sdk;
  readonly Client: typeof OriginalClient;
  readonly tasks: typeof originalTasks;
  readonly types: typeof originalTypes;
}

const sdks = {
  original: { sdk: original, Client: OriginalClient, tasks: originalTasks, types: originalTypes } as ClientSdk,
  own: { sdk: own, Client: OwnClient, tasks: ownTasks, types: ownTypes } as unknown as ClientSdk,
};

/** Ids, times and the number of polls differ from run to run. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/[0-9a-f]{32}/g, "ID")
      .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"TIME"'),
  );
}

async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    const { name, message, code } = error as Error & { code?: unknown };
    return { name, message, code };
  }
}

/** The messages of a stream, of which equal ones that follow each other count once. */
async function messagesOf(stream: AsyncGenerator<{ readonly type: string }>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const { type, ...rest } of stream) {
    const { error, task, ...more } = rest as { error?: Error; task?: { status: string } };
    const message = { type, ...more, ...(error && { error: error.message }), ...(task && { status: task.status }) };
    const last = messages.at(-1);
    if (JSON.stringify(last) !== JSON.stringify(message)) messages.push(message);
  }
  return messages;
}

async function outcomesOf({ sdk, Client, tasks, types }: ClientSdk): Promise<unknown> {
  const server = new sdk.mcp.McpServer(
    { name: "server", version: "1.0.0" },
    {
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore: new tasks.InMemoryTaskStore(),
      taskMessageQueue: new tasks.InMemoryTaskMessageQueue(),
    },
  );
  const outputSchema = { x: z.number() };
  const register = (name: string, taskSupport: "required" | "optional", output: () => object): void =>
    void server.experimental.tasks.registerToolTask(
      name,
      { outputSchema, execution: { taskSupport } },
      {
        createTask: async ({ taskStore, taskRequestedTtl }) => {
          const task = await taskStore.createTask({ ttl: taskRequestedTtl ?? 60_000, pollInterval: 5 });
          const status = name === "fails" ? "failed" : "completed";
          setTimeout(() => void taskStore.storeTaskResult(task.taskId, status, { content: [], ...output() }), 20);
          return { task };
        },
        getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
        getTaskResult: async ({ taskId, taskStore }) => (await taskStore.getTaskResult(taskId)) as never,
      },
    );
  register("slow", "required", () => ({ structuredContent: { x: 1 } }));
  register("either", "optional", () => ({ structuredContent: { x: 2 } }));
  register("wrong", "required", () => ({ structuredContent: { x: "no" } }));
  register("nothing", "required", () => ({}));
  register("fails", "required", () => ({ isError: true }));
  server.registerTool("quick", {}, () => ({ content: [{ type: "text", text: "done" }] }));

  const client = new Client({ name: "client", version: "1.0.0" });
  const [near, far] = sdk.inMemory.InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const outcomes: unknown[] = [];
  const record = async (call: () => unknown): Promise<void> => void outcomes.push(await outcomeOf(call));
  const stream = client.experimental.tasks;

  await record(() => messagesOf(stream.callToolStream({ name: "quick" })));
  await record(() => messagesOf(stream.callToolStream({ name: "slow" })));
  await client.listTools();
  for (const name of ["slow", "either", "wrong", "nothing", "fails", "quick", "none"])
    await record(() => messagesOf(stream.callToolStream({ name })));
  await record(() => messagesOf(stream.callToolStream({ name: "either" }, undefined, { task: { ttl: 1_000 } })));
  await record(() => messagesOf(stream.callToolStream({ name: "slow" }, types.CallToolResultSchema)));
  await record(() => client.callTool({ name: "slow" }));
  await record(() => client.callTool({ name: "quick" }));
  await record(() => messagesOf(stream.requestStream({ method: "ping" }, types.EmptyResultSchema)));
  let taskId = "none";
  const request = { method: "tools/call" as const, params: { name: "slow" } };
  for await (const message of stream.requestStream(request, types.CallToolResultSchema, { task: {} }))
    if (message.type === "taskCreated") ({ taskId } = message.task);
  await record(() => stream.getTask(taskId));
  await record(() => stream.getTaskResult(taskId, types.CallToolResultSchema));
  await record(async () => (await stream.listTasks()).tasks.length);
  await record(() => stream.cancelTask(taskId));
  await record(() => stream.getTask("none"));
  await record(() => stream.getTaskResult("none"));
  await client.close();
  return comparable(outcomes);
}

describe("experimental.tasks of Client", () => {
  it("has the outcomes of the official SDK", async () => {
    expect(await outcomesOf(sdks.own)).toEqual(await outcomesOf(sdks.original));
  });
});

type Calls = readonly (readonly [kind: string, error: string | undefined, names: readonly string[] | null])[];

/** Connects with the option `listChanged`, changes the lists of the server, and returns the calls of the callbacks. */
async function callsOf(
  { sdk, Client }: ClientSdk,
  options: { readonly autoRefresh?: boolean; readonly debounceMs?: number },
  failing = false,
): Promise<Calls> {
  const server = new sdk.mcp.McpServer({ name: "server", version: "1.0.0" });
  const tool = server.registerTool("first", {}, () => ({ content: [] }));
  const prompt = server.registerPrompt("one", {}, () => ({ messages: [] }));
  const calls: (readonly [string, string | undefined, readonly string[] | null])[] = [];
  const handler = (kind: string) => ({
    ...options,
    onChanged: (error: Error | null, items: readonly { readonly name: string }[] | null) =>
      void calls.push([kind, error?.message, items?.map(({ name }) => name) ?? null]),
  });
  const client = new Client(
    { name: "client", version: "1.0.0" },
    { listChanged: { tools: handler("tools"), prompts: handler("prompts"), resources: handler("resources") } },
  );
  const [near, far] = sdk.inMemory.InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  if (failing)
    client.listTools = () => {
      throw new Error("the list is not there");
    };
  tool.update({ name: "second" });
  tool.update({ description: "changed" });
  prompt.update({ title: "changed" });
  await expect.poll(() => new Set(calls.map(([kind]) => kind)).size).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  await client.close();
  return calls.toSorted(([a], [b]) => a.localeCompare(b));
}

describe("the option listChanged of Client", () => {
  it.each([
    ["lists again at once", { debounceMs: 0 }, false],
    ["lists again after a time", { debounceMs: 10 }, false],
    ["only reports the change", { autoRefresh: false, debounceMs: 10 }, false],
    ["reports that the list cannot be read", { debounceMs: 10 }, true],
  ])("%s, as the official SDK does", async (_what, options, failing) => {
    const calls = await callsOf(sdks.own, options, failing);
    expect(calls).toEqual(await callsOf(sdks.original, options, failing));
  });

  it.each([{ onChanged: "nothing" }, { onChanged: () => undefined, debounceMs: -1 }])(
    "refuses invalid options, and closes the connection: %o",
    async (invalid) => {
      for (const { sdk, Client } of [sdks.original, sdks.own]) {
        const server = new sdk.mcp.McpServer({ name: "server", version: "1.0.0" });
        server.registerTool("first", {}, () => ({ content: [] }));
        const client = new Client({ name: "client", version: "1.0.0" }, { listChanged: { tools: invalid as never } });
        const [near, far] = sdk.inMemory.InMemoryTransport.createLinkedPair();
        await server.connect(far);
        await expect(client.connect(near)).rejects.toThrow("Invalid tools listChanged options: ");
        await expect.poll(() => client.transport).toBeUndefined();
      }
    },
  );
});

describe("elicitation.form.applyDefaults", () => {
  it.each([
    { action: "accept", content: { b: 1 } },
    { action: "accept", content: {} },
    { action: "decline" },
    { action: "cancel" },
  ] as const)("fills in what the user has left out as the official SDK does: %o", async (answer) => {
    const outcomes: unknown[] = [];
    for (const { sdk, Client, types } of [sdks.original, sdks.own]) {
      const server = new sdk.mcp.McpServer({ name: "server", version: "1.0.0" });
      const client = new Client(
        { name: "client", version: "1.0.0" },
        { capabilities: { elicitation: { form: { applyDefaults: true } } } },
      );
      client.setRequestHandler(types.ElicitRequestSchema, () => structuredClone(answer));
      const [near, far] = sdk.inMemory.InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(far), client.connect(near)]);
      outcomes.push(
        await server.server.elicitInput({
          message: "Which?",
          requestedSchema: {
            type: "object",
            properties: { a: { type: "string", default: "x" }, b: { type: "number", default: 7 } },
          },
        }),
      );
      await client.close();
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });
});
