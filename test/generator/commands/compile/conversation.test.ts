/** Compiled tools, as clients of both eras see them. */
import { clientSides } from "@mcpwright/protocol/client-sides";
import { InMemoryTransport } from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client";
import { McpServer } from "@mcpwright/runtime/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { hostile, weather } from "./golden.js";

const { registerTools } = weather;

async function connected(
  revision: string,
  register: (server: McpServer) => unknown,
): Promise<{ client: Client; problems: string[] }> {
  const problems: string[] = [];
  const server = new McpServer(
    { name: "weather", version: "1.0.0" },
    { onerror: ({ message }) => problems.push(message) },
  );
  register(server);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const client = new Client(
    { name: "me", version: "1.0.0" },
    { revisions: clientSides.filter((side) => side.revision === revision) },
  );
  await server.connect(serverEnd);
  await client.connect(clientEnd);
  onTestFinished(() => client.close());
  return { client, problems };
}

const text = (words: string) => [{ type: "text", text: words }];

describe.each(["2025-11-25", "2026-07-28"])("%s", (revision) => {
  test("tools are listed with what their doc comments say", async () => {
    const { client } = await connected(revision, registerTools);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, title, annotations }) => [name, title, annotations])).toEqual([
      ["getForecast", "Forecast", { readOnlyHint: true, openWorldHint: false }],
      ["count-tree", undefined, { idempotentHint: true }],
      ["greet", undefined, undefined],
      ["ping", undefined, undefined],
      ["whoami", undefined, undefined],
      ["raw", undefined, { destructiveHint: true }],
    ]);
    expect(tools[0]?.description).toBe("The weather of the next days.\n\nIt asks nobody.");
    expect(tools[0]?.inputSchema).toMatchObject({
      properties: { days: { type: "integer", description: "Days ahead", minimum: 1, maximum: 14, default: 3 } },
    });
    expect(tools[3]?.inputSchema).toEqual({ type: "object", additionalProperties: false });
  });

  test("results", async () => {
    const { client } = await connected(revision, registerTools);
    const call = (name: string, args?: Record<string, unknown>) =>
      client.callTool({ name, ...(args && { arguments: args }) });
    const forecast = { high: 22, lines: ["Oslo: sun"], unit: "celsius" };
    expect(await call("getForecast", { city: "Oslo", days: 2, unknown: "survives" })).toMatchObject({
      structuredContent: forecast,
      content: text(JSON.stringify(forecast)),
    });
    const tree = { name: "a", children: [{ name: "b" }, { name: "c", children: [] }] };
    expect(await call("count-tree", tree)).toMatchObject({ structuredContent: { nodes: 3 } });
    expect((await call("greet", { name: "Ada" })).content).toEqual(text("Hello Ada"));
    expect((await call("ping")).content).toEqual(text("pong"));
    expect((await call("whoami")).content).toEqual(text("me"));
    expect(await call("raw")).toMatchObject({ content: text("as it is"), isError: true });
    expect(await call("getForecast", { city: "Nowhere" })).toMatchObject({
      content: text("There is no such place"),
      isError: true,
    });
  });

  test.each<readonly [name: string, args: Record<string, unknown>, problem: string]>([
    ["getForecast", {}, "/city: is required"],
    ["getForecast", { city: "" }, "/city: must have at least 1 character"],
    ["getForecast", { city: 5, days: 0.5 }, "/city: must be a string; /days: must be an integer"],
    ["getForecast", { city: "a", days: 15 }, "/days: must be at most 14"],
    ["getForecast", { city: "a", unit: "kelvin" }, '/unit: must be one of "celsius", "fahrenheit"'],
    ["getForecast", { city: "a", currency: "eur" }, "/currency: must match the pattern ^[A-Z]{3}$"],
    ["getForecast", { city: "a", prices: { x: "EURO" } }, "/prices/x: must match the pattern ^[A-Z]{3}$"],
    ["getForecast", { city: "a", hours: [6, 6] }, "/hours: must not have equal items"],
    ["getForecast", { city: "a", hours: [6, 7] }, "/hours/1: must be one of 0, 6, 12, 18"],
    ["getForecast", { city: "a", span: [] }, "/span: must have at least 1 item"],
    ["getForecast", { city: "a", span: ["x", "y", "z"] }, "/span/2: must be a number"],
    [
      "getForecast",
      { city: "a", place: { kind: "point", latitude: 91, longitude: 0, x: 1 } },
      "/place/latitude: must be at most 90; /place/x: is not allowed",
    ],
    ["getForecast", { city: "a", place: { kind: "planet" } }, "/place: must fit one of 2 alternatives"],
    [
      "count-tree",
      { name: "a", children: [{ name: "b", children: [{}] }] },
      "/children/0/children/0/name: is required",
    ],
    ["greet", { name: null }, "/name: must be a string"],
  ])("%s refuses %j", async (name, args, problem) => {
    const { client } = await connected(revision, registerTools);
    const message = `Invalid arguments for tool ${name}: ${problem}`;
    const call = client.callTool({ name, arguments: args });
    expect(await call).toMatchObject({ isError: true, content: text(message) });
  });

  test("a result that is not what the type says is never sent", async () => {
    const { client, problems } = await connected(revision, registerTools);
    await expect(client.callTool({ name: "getForecast", arguments: { city: "Wrong" } })).rejects.toMatchObject({
      code: -32603,
    });
    expect(problems).toEqual([
      expect.stringContaining('"getForecast" does not match its outputSchema: /high: must be a number'),
    ]);
  });

  test("names and texts that try to break out are data", async () => {
    const { client } = await connected(revision, hostile.registerTools);
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({ title: '*/ `${x}` "', description: "*/ throw 1; `${x}`" });
    const args = JSON.parse('{"*/`${x}":"","__proto__":{"constructor":"","__proto__":1},"text":"*/`${x}"}') as Record<
      string,
      unknown
    >;
    expect(await client.callTool({ name: "hostile", arguments: args })).toMatchObject({
      content: text("*/`${x},__proto__,text"),
    });
    const wrong = JSON.parse('{"*/`${x}":"","__proto__":{"constructor":"","__proto__":"1"}}') as Record<
      string,
      unknown
    >;
    const outcome = await client.callTool({ name: "hostile", arguments: wrong }).catch((error: unknown) => error);
    expect(JSON.stringify(outcome instanceof Error ? outcome.message : outcome)).toContain(
      "/__proto__/__proto__: must be a number",
    );
  });
});

test("older clients get wrong arguments as an error of the protocol", async () => {
  const { client } = await connected("2025-06-18", registerTools);
  await expect(client.callTool({ name: "greet", arguments: {} })).rejects.toMatchObject({
    code: -32602,
    message: "Invalid arguments for tool greet: /name: is required",
  });
});
