import { describe, expect, onTestFinished, test } from "vitest";
import { Client, type ClientOptions } from "../../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../../runtime/src/index.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { MemoryTaskStore, tasks as serverTasks } from "../../../../runtime/src/tasks.js";
import { callToolTask, resumeTask, tasks } from "../../../../runtime/src/tasks/client.js";
import { clientInfo, clientSide, serverInfo } from "../../connection/connection-ends.js";
import { generations, until } from "./task-server.js";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
const form = { type: "object" as const, properties: { name: { type: "string" as const } } };

/** A server whose tools run as tasks, with a store that outlives it. */
function serve(store = new MemoryTaskStore()) {
  let finish: (() => void) | undefined;
  const aborted: unknown[] = [];
  const server = new McpServer(serverInfo, { extensions: [serverTasks({ store, pollIntervalMs: 100 })] });
  server.registerTool("greet", { task: "required" }, async (context) => {
    const first = await context.elicit("first", { mode: "form", message: "first?", requestedSchema: form });
    const second = await context.elicit("second", { mode: "form", message: "second?", requestedSchema: form });
    return said([first, second].map((answer) => String(answer.content?.["name"])).join(" "));
  });
  server.registerTool("wait", { task: "optional" }, async ({ signal }) => {
    await new Promise<void>((resolve, reject) => {
      finish = resolve;
      signal.addEventListener("abort", () => {
        aborted.push(signal.reason);
        reject(new Error("aborted"));
      });
    });
    return said("waited");
  });
  server.registerTool(
    "slow",
    { task: { support: "optional", immediateResponse: "It has begun." } },
    async ({ progress }) => {
      for (const at of [1, 2, 2, 3]) {
        progress({ progress: at, total: 3, message: `step ${at}` });
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      return said("slow");
    },
  );
  server.registerTool("quick", { task: "optional" }, () => said("quick"));
  server.registerTool("fail", { task: "required" }, () => ({ ...said("broken"), isError: true }));
  return {
    server,
    store,
    aborted,
    isWaiting: () => finish !== undefined,
    /** Lets the tool `wait` return, when it has started. */
    finish: async (): Promise<void> => {
      await until(() => finish !== undefined);
      finish?.();
    },
  };
}

async function connect(server: McpServer, revision: string, options: ClientOptions = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const methods: string[] = [];
  const client = new Client(clientInfo, {
    revisions: [clientSide(revision)],
    capabilities: { elicitation: {} },
    extensions: [tasks()],
    trace: (direction, message) => {
      const { method } = message as { method?: string };
      if (direction === "out" && method !== undefined) methods.push(method);
    },
    ...options,
  });
  client.setRequestHandler("elicitation/create", ({ message }) => ({ action: "accept", content: { name: message } }));
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return { client, methods };
}

describe.each(generations)("our client and our server of %s", (revision) => {
  test("run a tool as a task that asks questions in the middle", async () => {
    const { client, methods } = await connect(serve().server, revision);
    expect(await client.callTool({ name: "greet" })).toMatchObject(said("first? second?"));
    expect(methods).toContain("tools/call");
  });

  test("pass on a result with isError", async () => {
    const { client } = await connect(serve().server, revision);
    expect(await client.callTool({ name: "fail" })).toMatchObject({ ...said("broken"), isError: true });
  });

  test("cancel a task with the signal of the call", async () => {
    const { server, aborted, isWaiting } = serve();
    const { client } = await connect(server, revision);
    const calling = new AbortController();
    let isCreated = false;
    const result = client.callTool(
      { name: "wait" },
      { task: true, signal: calling.signal, onTask: () => (isCreated = true) },
    );
    // A task that is cancelled earlier does not begin.
    await until(() => isCreated && isWaiting());
    calling.abort(new Error("enough"));
    await expect(result).rejects.toThrow("enough");
    await until(() => aborted.length > 0);
  });

  test("resume a task in another client, from its id", async () => {
    const { server, finish } = serve();
    const first = await connect(server, revision);
    const handle = await callToolTask(first.client, { name: "wait" });
    const { id = "" } = handle;
    expect(id).not.toBe("");
    handle.detach();
    await first.client.close();
    const second = await connect(server, revision);
    const resumed = await resumeTask(second.client, id);
    await finish();
    expect(await resumed.result()).toMatchObject(said("waited"));
  });

  test("find out that a task died with its server, and never wait forever", async () => {
    const { server, store } = serve();
    const { client } = await connect(server, revision);
    const { id = "" } = await callToolTask(client, { name: "wait" });
    await client.close();
    store.delete(id, null);
    const second = await connect(serve(store).server, revision);
    await expect(resumeTask(second.client, id)).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  });

  test("pass on progress of the task, and the text for the model, where the revision has them", async () => {
    const { client } = await connect(serve().server, revision);
    const steps: unknown[] = [];
    const texts: unknown[] = [];
    const task = await callToolTask(
      client,
      { name: "slow" },
      {
        onProgress: ({ progress, total, message }) => steps.push([progress, total, message]),
        onTask: ({ immediateResponse }) => texts.push(immediateResponse),
      },
    );
    expect(await task.result()).toMatchObject(said("slow"));
    const isCore = revision === "2025-11-25";
    expect(steps).toEqual(isCore ? [1, 2, 3].map((at) => [at, 3, `step ${at}`]) : []);
    expect([...texts, task.immediateResponse]).toEqual(Array(2).fill(isCore ? "It has begun." : undefined));
    expect(task.task).not.toHaveProperty("immediateResponse");
  });

  test("run 500 tasks at once", async () => {
    const { client } = await connect(serve().server, revision);
    const results = await Promise.all(
      Array.from({ length: 500 }, () => client.callTool({ name: "quick" }, { task: true })),
    );
    expect(results.every(({ content }) => content.length === 1)).toBe(true);
  });
});
