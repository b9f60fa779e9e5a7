import { describe, expect, onTestFinished, test } from "vitest";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { Client } from "../../../../runtime/src/client.js";
import { McpServer, type ServerContext } from "../../../../runtime/src/server.js";
import { tasks as clientTasks, taskReceiver } from "../../../../runtime/src/tasks/client.js";
import { tasks } from "../../../../runtime/src/tasks.js";
import { InMemoryTransport } from "../../../../runtime/src/transport/in-memory.js";
import { R4, R5 } from "../../connection/connection-ends.js";

const asked = { messages: [{ role: "user" as const, content: { type: "text" as const, text: "?" } }], maxTokens: 5 };
const answer = { role: "assistant", model: "m", content: { type: "text", text: "!" } } as const;

interface Setup {
  readonly revision?: string;
  /** Whether the client runs requests as tasks. */
  readonly receives?: boolean;
  readonly handler?: (signal: AbortSignal) => typeof answer | Promise<typeof answer>;
}

/** Connects a client to a server whose tool asks the client's model with `task: true`. */
async function connect({ revision = R4, receives = true, handler = () => answer }: Setup, signal?: AbortSignal) {
  const sent: string[] = [];
  const server = new McpServer(
    { name: "s", version: "1" },
    {
      extensions: [tasks()],
      onerror: () => undefined,
      trace: (direction, message) => {
        const { method, params } = message as { method?: string; params?: { task?: object } };
        if (direction === "out" && method !== undefined) sent.push(params?.task ? `${method} as a task` : method);
      },
    },
  );
  server.registerTool("ask", {}, async (context: ServerContext) => {
    const { content } = await context.sample("q", asked, { task: true, ...(signal && { signal }) });
    return { content: [content].flat() as (typeof answer.content)[] };
  });
  const client = new Client(
    { name: "c", version: "1" },
    {
      revisions: clientSides.filter((side) => side.revision === revision),
      capabilities: { sampling: {} },
      extensions: receives ? [clientTasks({ receiver: taskReceiver() })] : [],
    },
  );
  client.setRequestHandler("sampling/createMessage", (_params, { signal: one }) => handler(one));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(async () => {
    await client.close();
    await server.close(0);
  });
  return { client, sent };
}

describe("a server that asks a client to run a request as a task", () => {
  test("polls the client, and gets the result when the task has ended", async () => {
    const slow = () => new Promise<typeof answer>((resolve) => setTimeout(() => resolve(answer), 50));
    const { client, sent } = await connect({ handler: slow });
    expect(await client.callTool({ name: "ask" })).toMatchObject({ content: [answer.content] });
    const methods = sent.filter((method) => !method.startsWith("notifications/"));
    expect([...new Set(methods)]).toEqual(["sampling/createMessage as a task", "tasks/get", "tasks/result"]);
  });

  test.each([
    { name: "a client that does not run requests as tasks", receives: false },
    { name: "a client of the stateless era", revision: R5 },
  ])("gets the answer as usual from $name", async ({ name: _, ...setup }) => {
    const { client, sent } = await connect(setup);
    expect(await client.callTool({ name: "ask" })).toMatchObject({ content: [answer.content] });
    expect(sent.join()).not.toContain("task");
  });

  test("cancels the task of the client when the handler no longer wants the answer", async () => {
    const stop = new AbortController();
    let wasAborted = (): void => undefined;
    const aborted = new Promise<void>((resolve) => (wasAborted = resolve));
    const handler = (signal: AbortSignal) =>
      new Promise<typeof answer>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          wasAborted();
          reject(new Error("aborted"));
        });
        setTimeout(() => stop.abort(new Error("no longer needed")), 20);
      });
    const { client, sent } = await connect({ handler }, stop.signal);
    expect(await client.callTool({ name: "ask" })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "no longer needed" }],
    });
    await aborted;
    expect(sent).toContain("tasks/cancel");
  });

  test("passes the error of the task to the handler", async () => {
    const { client } = await connect({ handler: () => Promise.reject(new Error("private")) });
    const result = await client.callTool({ name: "ask" });
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "Internal error" }] });
  });
});
