import { describe, expect, test } from "vitest";
import type { CreateMessageRequestParams, CreateMessageResult, Tool } from "../../../runtime/src/authoring.js";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import { McpServer, sampleWithTools, type SamplingTool, type SamplingToolLimits } from "../../../runtime/src/server.js";
import { clientSides } from "@mcpwright/protocol/client-sides";

const named = (name: string): Tool => ({ name, inputSchema: { type: "object" } });
const use = (id: string, name: string) => ({ type: "tool_use" as const, id, name, input: { id }, _meta: { kept: id } });
const weather: SamplingTool = {
  definition: named("weather"),
  run: ({ input }) => ({ content: [{ type: "text", text: `sun ${String(input["id"])}` }], _meta: { of: "tool" } }),
};
const broken: SamplingTool = {
  definition: named("broken"),
  run: () => {
    throw new Error("no signal");
  },
};

/** Calls a tool whose handler samples with tools; the client's model is a script. */
async function talk(
  revision: string,
  model: (params: CreateMessageRequestParams, turn: number) => Partial<CreateMessageResult>,
  limits: SamplingToolLimits = { maxRounds: 2 },
): Promise<{ asked: CreateMessageRequestParams[]; answer: unknown }> {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerTool("ask", {}, async (context) => {
    const question = {
      messages: [{ role: "user" as const, content: { type: "text" as const, text: "?" } }],
      maxTokens: 9,
    };
    const { content } = await sampleWithTools(context, "q", question, [weather, broken], limits);
    return { structuredContent: { content } };
  });
  const revisions = clientSides.filter((side) => side.revision === revision);
  const client = new Client({ name: "c", version: "1" }, { revisions, capabilities: { sampling: { tools: {} } } });
  const asked: CreateMessageRequestParams[] = [];
  client.setRequestHandler("sampling/createMessage", (params) => {
    asked.push(params);
    return { role: "assistant", model: "m", content: { type: "text", text: "done" }, ...model(params, asked.length) };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const result = await client.callTool({ name: "ask" });
  await client.close();
  return { asked, answer: result.isError ? result.content : result.structuredContent };
}

describe.each(["2025-11-25", "2026-07-28"])("sampling with tools, %s", (revision) => {
  test.each([
    ["20,000 tools in one turn", 20_000, 1],
    ["51 tools in one turn", 51, 1],
    ["40 tools in each turn", 40, 3],
  ])("runs no tool of a turn in which the model exceeds a limit: %s", async (_name, count, turns) => {
    const uses = Array.from({ length: count }, (_, at) => use(String(at), "weather"));
    const { asked, answer } = await talk(revision, () => ({ content: uses, stopReason: "toolUse" }), { maxRounds: 5 });
    expect(asked).toHaveLength(turns);
    const text = expect.stringMatching(/used too many tools: it may use 50 .* and 100 in all/) as string;
    expect(answer).toEqual([{ type: "text", text }]);
  });

  test("allows as many tools as the limits", async () => {
    const uses = Array.from({ length: 3 }, (_, at) => use(String(at), "weather"));
    const model = (_params: unknown, turn: number) => (turn <= 2 ? { content: uses, stopReason: "toolUse" } : {});
    const { asked } = await talk(revision, model, { maxUsesPerRound: 3, maxUses: 6 });
    expect(asked).toHaveLength(3);
  });

  test("runs the tools that the model uses, and passes it the history with one result per use", async () => {
    const uses = [use("1", "weather"), use("2", "broken"), use("3", "unheard")];
    const { asked, answer } = await talk(revision, (_params, turn) =>
      turn === 1 ? { content: uses, stopReason: "toolUse" } : {},
    );
    expect(answer).toEqual({ content: { type: "text", text: "done" } });
    expect(asked.map(({ tools, toolChoice }) => [tools?.map(({ name }) => name), toolChoice])).toEqual([
      [["weather", "broken"], undefined],
      [["weather", "broken"], undefined],
    ]);
    const failed = (toolUseId: string, text: string) => ({
      type: "tool_result",
      toolUseId,
      content: [{ type: "text", text }],
      isError: true,
    });
    expect(asked[1]?.messages).toEqual([
      { role: "user", content: { type: "text", text: "?" } },
      { role: "assistant", content: uses },
      {
        role: "user",
        content: [
          { type: "tool_result", toolUseId: "1", content: [{ type: "text", text: "sun 1" }], _meta: { of: "tool" } },
          failed("2", "no signal"),
          failed("3", "Unknown tool: unheard"),
        ],
      },
    ]);
  });

  test("allows no tools in the last round, and returns its result", async () => {
    const { asked, answer } = await talk(revision, ({ toolChoice }, turn) =>
      toolChoice?.mode === "none" ? {} : { content: use(String(turn), "weather"), stopReason: "toolUse" },
    );
    expect(answer).toEqual({ content: { type: "text", text: "done" } });
    expect(asked.map(({ toolChoice }) => toolChoice?.mode)).toEqual([undefined, undefined, "none"]);
  });
});
