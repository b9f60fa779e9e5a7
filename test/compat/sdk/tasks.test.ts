import * as originalTasks from "@modelcontextprotocol/sdk/experimental/tasks";
import * as ownTasks from "@mcpwright/compat/sdk/experimental/tasks";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { connect, original, own, type Sdk } from "./servers.js";

type Tasks = typeof originalTasks;
const sdks = {
  original: { sdk: original, tasks: originalTasks },
  own: { sdk: own, tasks: ownTasks as unknown as Tasks },
};

const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

/** Ids and times differ from run to run. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/"[0-9a-f]{32}"/g, '"ID"')
      .replaceAll(/"[^"]*[0-9a-f]{32}[^"]*"/g, '"TEXT WITH ID"')
      .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"TIME"'),
  );
}

async function answersOf({ sdk, tasks }: { readonly sdk: Sdk; readonly tasks: Tasks }): Promise<unknown> {
  const server = new sdk.mcp.McpServer(
    { name: "server", version: "1.0.0" },
    {
      capabilities,
      taskStore: new tasks.InMemoryTaskStore(),
      taskMessageQueue: new tasks.InMemoryTaskMessageQueue(),
      defaultTaskPollInterval: 5,
    },
  );
  const register = (name: string, taskSupport: "required" | "optional"): void =>
    void server.experimental.tasks.registerToolTask(
      name,
      { description: name, inputSchema: { x: z.number() }, execution: { taskSupport } },
      {
        createTask: async ({ x }, { taskStore, taskRequestedTtl }) => {
          const task = await taskStore.createTask({ ttl: taskRequestedTtl ?? 60_000, pollInterval: 5 });
          setTimeout(() => {
            const content = [{ type: "text" as const, text: `${x}` }];
            void taskStore.storeTaskResult(task.taskId, "completed", { content });
          }, 20);
          return { task };
        },
        getTask: (_args, { taskId, taskStore }) => taskStore.getTask(taskId),
        getTaskResult: async (_args, { taskId, taskStore }) => (await taskStore.getTaskResult(taskId)) as never,
      },
    );
  register("slow", "required");
  register("either", "optional");
  const client = await connect(sdk, server);
  const answers: unknown[] = [];
  const ask = async (method: string, params?: object) => {
    const answer = await client.request(method, params);
    answers.push([method, answer]);
    return answer as { readonly result?: { readonly task?: { readonly taskId: string } } };
  };
  await ask("tools/list");
  await ask("tools/call", { name: "slow", arguments: { x: 1 } });
  await ask("tools/call", { name: "either", arguments: { x: 2 } });
  const { result } = await ask("tools/call", { name: "slow", arguments: { x: 3 }, task: { ttl: 1_000 } });
  const taskId = result?.task?.taskId ?? "none";
  await ask("tasks/get", { taskId });
  await ask("tasks/result", { taskId });
  await ask("tasks/get", { taskId });
  await ask("tasks/cancel", { taskId });
  await ask("tasks/list");
  await ask("tasks/get", { taskId: "none" });
  await ask("tasks/result", { taskId: "none" });
  await ask("tasks/list", { cursor: "none" });
  await server.close();
  return withoutIds(answers);
}

describe("tasks", () => {
  it("run like those of the official SDK", async () => {
    expect(await answersOf(sdks.own)).toEqual(await answersOf(sdks.original));
  });
});
