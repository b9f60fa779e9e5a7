import { describe, expect, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import type { RunTool } from "../../../runtime/src/server/extension-hooks.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import type { ServerExtension } from "../../../runtime/src/server/server-extension.js";
import { modern, R5, serverInfo } from "../connection/connection-ends.js";
import { Wire, type Message } from "../connection/wire.js";
import { rankExtension, rankId } from "./rank-extension.js";

const input = {
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: (value: unknown) =>
      typeof (value as { n?: unknown }).n === "number"
        ? { value: value as { n: number } }
        : { issues: [{ message: "n must be a number", path: ["n"] }] },
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  },
};

async function serveTool(runTool: RunTool<ServerContext>, config: object, callback: (...args: never[]) => unknown) {
  const errors: Error[] = [];
  const extension: ServerExtension = {
    ...rankExtension,
    attachServer: (server) => {
      server.runTool = runTool;
    },
  };
  const server = new McpServer(serverInfo, { extensions: [extension], onerror: (error) => errors.push(error) });
  server.registerTool("t", config, callback as never);
  const wire = new Wire();
  await server.connect(wire);
  return { wire, errors };
}

const ask = (wire: Wire, more: object = {}): Promise<Message> =>
  wire.ask(1, "tools/call", modern({ name: "t", ...more }, { elicitation: {}, extensions: { [rankId]: {} } }));

describe("runTool", () => {
  test("receives the options of the tool, and decides when it runs", async () => {
    const seen: unknown[] = [];
    const { wire } = await serveTool(
      async ({ config, definition }, { client }, run) => {
        seen.push((config as { rank?: string }).rank, definition.name, client.side.revision);
        await Promise.resolve();
        return run();
      },
      { rank: "first" },
      () => ({ content: [] }),
    );
    expect((await ask(wire)).result).toMatchObject({ resultType: "complete", content: [] });
    expect(seen).toEqual(["first", "t", R5]);
  });

  test("may return a result of the extension, and run the tool afterwards", async () => {
    const later: unknown[] = [];
    const { wire } = await serveTool(
      (_tool, _context, run) => {
        setTimeout(() => later.push(run()));
        return { resultType: "ranked", place: 1 };
      },
      {},
      () => ({ structuredContent: { a: 1 } }),
    );
    expect((await ask(wire)).result).toMatchObject({ resultType: "ranked", place: 1 });
    const content = [{ type: "text", text: '{"a":1}' }];
    await expect.poll(() => later).toEqual([{ content, structuredContent: { a: 1 } }]);
  });

  test.each<[string, (...args: never[]) => unknown, object, unknown]>([
    ["the result", () => ({ content: [] }), {}, { content: [] }],
    ["an error as a result", () => Promise.reject(new Error("broken")), {}, { isError: true }],
    [
      "validated output",
      () => ({ content: [], structuredContent: { n: 1 } }),
      { outputSchema: input },
      { structuredContent: { n: 1 } },
    ],
  ])("run returns %s", async (_, callback, config, expected) => {
    const seen: unknown[] = [];
    const run: RunTool<ServerContext> = async (_tool, _context, call) => {
      const outcome = await call();
      seen.push(outcome);
      return outcome;
    };
    const { wire } = await serveTool(run, config, callback);
    expect((await ask(wire)).result).toMatchObject(expected as object);
    expect(seen).toMatchObject([expected]);
  });

  test("is not called with invalid arguments", async () => {
    const { wire } = await serveTool(
      () => expect.unreachable(),
      { inputSchema: input },
      () => ({ content: [] }),
    );
    expect((await ask(wire, { arguments: { n: "1" } })).result).toMatchObject({ isError: true });
  });

  test("is called when the input requests have responses", async () => {
    const order: string[] = [];
    const { wire } = await serveTool(
      (_tool, _context, run) => (order.push("hook"), run()),
      {
        inputRequests: () => (
          order.push("inputRequests"),
          {
            name: {
              method: "elicitation/create",
              params: { message: "Name?", requestedSchema: { type: "object", properties: {} } },
            },
          }
        ),
      },
      (_context: object, { name }: Record<string, { action: string }>) => ({
        content: [{ type: "text", text: name?.action }],
      }),
    );
    const { result } = await ask(wire);
    expect(order).toEqual(["inputRequests"]);
    const { requestState } = result as { requestState: string };
    const answered = await ask(wire, { requestState, inputResponses: { name: { action: "decline" } } });
    expect(answered.result).toMatchObject({ content: [{ text: "decline" }] });
    expect(order.at(-1)).toBe("hook");
  });
});
