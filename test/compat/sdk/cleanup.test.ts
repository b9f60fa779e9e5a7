import { InMemoryTaskMessageQueue, InMemoryTaskStore } from "@mcpwright/compat/sdk/experimental/tasks";
import { Server } from "@mcpwright/compat/sdk/server/index.js";
import { McpServer } from "@mcpwright/compat/sdk/server/mcp.js";
import { CreateMessageResultSchema } from "@mcpwright/compat/sdk/types.js";
import { expect, test, vi } from "vitest";
import { connect, own } from "./servers.js";

const info = { name: "server", version: "1.0.0" };

test("the log level of a client ends with its connection", async () => {
  const server = new Server(info, { capabilities: { logging: {} } });
  const first = await connect(own, server);
  await first.request("logging/setLevel", { level: "error" });
  await server.sendLoggingMessage({ level: "info", data: "not wanted" });
  await server.close();
  const second = await connect(own, server);
  await server.sendLoggingMessage({ level: "info", data: "wanted" });
  const logged = [first, second].map(({ received }) =>
    received.filter(({ method }) => method === "notifications/message").map(({ params }) => params),
  );
  expect(logged).toEqual([[], [{ level: "info", data: "wanted" }]]);
});

test("a request of a task does not listen to its signal after its end", async () => {
  const server = new Server(info, {
    capabilities: { tasks: {} },
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  });
  await connect(own, server, { sampling: {} });
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const request = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } as const;
  const options = { relatedTask: { taskId: "task" }, timeout: 5, signal };
  await expect(server.request(request, CreateMessageResultSchema, options)).rejects.toThrow("Request timed out");
  expect(added.mock.calls.length).toBeGreaterThan(0);
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener));
});

test("a task is not looked at after the client has cancelled the call that waits for it", async () => {
  const store = new InMemoryTaskStore();
  const looked = vi.spyOn(store, "getTask");
  const server = new McpServer(info, {
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    taskStore: store,
  });
  server.experimental.tasks.registerToolTask(
    "endless",
    { description: "endless", execution: { taskSupport: "optional" } },
    {
      createTask: async ({ taskStore }) => ({ task: await taskStore.createTask({ ttl: 60_000, pollInterval: 5 }) }),
      getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: async ({ taskId, taskStore }) => (await taskStore.getTaskResult(taskId)) as never,
    },
  );
  const client = await connect(own, server);
  void client.request("tools/call", { name: "endless" });
  await vi.waitFor(() => expect(looked).toHaveBeenCalled());
  await server.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  looked.mockClear();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(looked).not.toHaveBeenCalled();
});
