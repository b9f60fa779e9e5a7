import { expect, test } from "vitest";
import type { ServerContext } from "../../../../runtime/src/server/contracts.js";
import type { ServerExtension } from "../../../../runtime/src/server/server-extension.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { backgroundContext, runOf } from "../../../../runtime/src/tasks/server/background-context.js";
import { initialize, modern, R4, R5, serverInfo } from "../../connection/connection-ends.js";
import { rankExtension, rankId } from "../../extensions/rank-extension.js";
import { request, Wire } from "../../connection/wire.js";

const answer = { action: "accept", content: { a: 1 } };
const question = { message: "a?", requestedSchema: { type: "object", properties: {} } } as const;
const capabilities = { elicitation: {}, extensions: { [rankId]: {} } };

test.each([R4, R5])(
  "a handler goes on after its request was answered, and only its run receives what it asks and sends: %s",
  async (revision) => {
    const seen: unknown[] = [];
    const run = {
      requestInput: (key: string, { method }: { readonly method: string }) => (
        seen.push([key, method]),
        Promise.resolve(answer)
      ),
      notify: (method: string, params: object | undefined) => void seen.push([method, params]),
    };
    const extension: ServerExtension = {
      ...rankExtension,
      attachServer: (server) => {
        server.runTool = (_tool, context, call) => {
          const background = backgroundContext(context, run);
          expect([runOf(background), runOf(context)]).toEqual([run, undefined]);
          setTimeout(() => void (async () => seen.push(await call(background)))());
          return revision === R5 ? { resultType: "ranked", place: 1 } : { content: [] };
        };
      },
    };
    const errors: Error[] = [];
    const server = new McpServer(serverInfo, {
      extensions: [extension],
      capabilities: { logging: {} },
      onerror: (error) => errors.push(error),
    });
    server.registerTool("t", {}, async (context: ServerContext) => {
      context.progress({ progress: 1 });
      const { content } = await context.elicit("k", question);
      await context.notify("notifications/rank", { query: "a" });
      return { content: [{ type: "text", text: JSON.stringify(content) }] };
    });
    const wire = new Wire();
    await server.connect(wire);
    const params = { name: "t", _meta: { progressToken: 1 } };
    if (revision === R4) await initialize(wire, R4, capabilities);
    wire.receive(
      request(2, "tools/call", revision === R4 ? params : modern(params, capabilities, { progressToken: 1 })),
    );
    await expect
      .poll(() => seen)
      .toEqual([
        ["notifications/progress", { progressToken: 1, progress: 1 }],
        ["k", "elicitation/create"],
        ["notifications/rank", { query: "a" }],
        { content: [{ type: "text", text: '{"a":1}' }] },
      ]);
    expect((await wire.rest()).map(({ id, method }) => id ?? method)).toEqual([2]);
    expect(errors).toEqual([]);
  },
);
