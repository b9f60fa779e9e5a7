import { describe, expect, test } from "vitest";
import { z } from "zod";
import { McpServer, wrapOutputs } from "../../../runtime/src/server.js";
import { connect, info, revisions } from "../api/pair.js";

const hours = [9, 10];
const point = z.object({ x: z.number() });

function forecasts(): McpServer {
  const server = new McpServer(info, { middleware: [wrapOutputs()] });
  server.registerTool("list", { outputSchema: z.array(z.number()) }, () => ({
    content: [],
    structuredContent: hours,
  }));
  server.registerTool("told", { outputSchema: z.array(z.number()) }, () => ({
    content: [{ type: "text", text: "two" }],
    structuredContent: hours,
  }));
  server.registerTool("point", { outputSchema: point }, () => ({ content: [], structuredContent: { x: 1 } }));
  server.registerTool("either", { outputSchema: z.union([point, z.array(z.number())]) }, () => ({
    content: [],
    structuredContent: hours,
  }));
  server.registerTool("plain", {}, () => ({ content: [{ type: "text", text: "plain" }] }));
  return server;
}

describe.each(revisions)("%s: outputs that are not objects", (revision) => {
  const isOlder = revision !== "2026-07-28";
  const hasOutput = revision >= "2025-06-18";
  const whole = isOlder ? { result: hours } : hours;

  test("are wrapped for older clients only, and are text for all", async () => {
    const { client } = await connect(forecasts(), revision);
    const result = await client.callTool({ name: "list" });
    expect(result.structuredContent).toEqual(hasOutput ? whole : undefined);
    expect(result.content).toEqual([{ type: "text", text: "[9,10]" }]);
    const either = await client.callTool({ name: "either" });
    expect(either.structuredContent).toEqual(hasOutput ? whole : undefined);
  });

  test("leave objects and other results as they are", async () => {
    const { client } = await connect(forecasts(), revision);
    const result = await client.callTool({ name: "point" });
    expect(result.content).toEqual([]);
    expect(result.structuredContent).toEqual(hasOutput ? { x: 1 } : undefined);
    expect(await client.callTool({ name: "plain" })).toMatchObject({ content: [{ type: "text", text: "plain" }] });
    await expect(client.callTool({ name: "none" })).rejects.toMatchObject({ code: -32602 });
  });
});

describe.each(["2025-06-18", "2025-11-25", "2026-07-28"] as const)("%s: the listed schemas", (revision) => {
  test("describe the outputs", async () => {
    const { client } = await connect(forecasts(), revision);
    const { tools } = await client.listTools();
    const schemas = Object.fromEntries(tools.map(({ name, outputSchema }) => [name, outputSchema]));
    const list = { type: "array", items: { type: "number" } };
    if (revision === "2026-07-28") expect(schemas["list"]).toMatchObject(list);
    else expect(schemas["list"]).toMatchObject({ type: "object", properties: { result: list }, required: ["result"] });
    expect(schemas["point"]).toMatchObject({ type: "object", properties: { x: { type: "number" } } });
    expect(schemas["either"] === undefined).toBe(revision !== "2026-07-28");
  });
});

test.each([
  [
    "definitions stay at the root",
    { type: "array", items: { $ref: "#/$defs/one" }, $defs: { one: { type: "number" } } },
    true,
  ],
  ["a reference to the root has no schema", { type: "array", items: { $ref: "#" } }, false],
])("%s", async (_, jsonSchema, isListed) => {
  const server = new McpServer(info, { middleware: [wrapOutputs()] });
  const outputSchema = { jsonSchema, validate: (value: unknown) => ({ value }) };
  server.registerTool("t", { outputSchema: outputSchema as never }, () => ({ structuredContent: [] }) as never);
  const { client } = await connect(server, "2025-11-25");
  const [tool] = (await client.listTools()).tools;
  expect(tool?.outputSchema !== undefined).toBe(isListed);
  if (isListed) expect(tool?.outputSchema).toMatchObject({ $defs: { one: { type: "number" } } });
});
