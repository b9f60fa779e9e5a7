/** Several servers as one: names, URIs, chosen tools, instructions, and changes of the configuration. */
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Client } from "../../../runtime/src/client.js";
import { createGateway, type Gateway, type GatewayOptions } from "../../../runtime/src/gateway.js";
import { McpServer } from "../../../runtime/src/server.js";
import { clientOf, eras, errorOf, info, type Revision, settled, text } from "../api/pair.js";
import { everything } from "./everything.js";
import { join } from "./in-memory.js";

async function connectTo(
  options: GatewayOptions,
  revision: Revision = "2026-07-28",
): Promise<{ client: Client; gateway: Gateway; problems: string[] }> {
  const problems: string[] = [];
  const gateway = createGateway({ onerror: ({ message }) => problems.push(message), ...options });
  const { client } = clientOf(revision, { capabilities: { sampling: {} } });
  await join(gateway, client);
  return { client, gateway, problems };
}

const two = () => ({
  old: { server: everything("2024-11-05", "old").server },
  new: { server: everything("2026-07-28", "new").server },
});
const namesOf = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);

test("tools and prompts get the name of their server, in the order of the servers", async () => {
  const { client } = await connectTo({ servers: two() });
  const { tools } = await client.listTools();
  const names = namesOf(tools);
  expect(names.slice(0, 2)).toEqual(["old_add", "old_ask"]);
  expect(names.filter((name) => name.startsWith("new_"))).toHaveLength(names.length / 2);
  expect(namesOf((await client.listPrompts()).prompts)).toEqual(["old_greet", "new_greet"]);
  expect(await client.callTool({ name: "old_add", arguments: { a: 1, b: 1 } })).toMatchObject({
    content: [{ text: "2" }],
  });
  const { messages } = await client.getPrompt({ name: "new_greet", arguments: { name: "Bo" } });
  expect(messages).toMatchObject([{ content: { text: "Hello Bo" } }]);
});

test("URIs that two servers have are wrapped, in lists, results, reads and subscriptions", async () => {
  const { client } = await connectTo({ servers: two() });
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["via-old+test://one", "via-new+test://one"]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "via-old+test://items/{id}",
    "via-new+test://items/{id}",
  ]);
  expect((await client.readResource({ uri: "via-old+test://one" })).contents).toEqual([
    { uri: "via-old+test://one", text: "first" },
  ]);
  expect((await client.readResource({ uri: "via-new+test://items/3" })).contents).toMatchObject([{ text: "item 3" }]);
  expect(await client.callTool({ name: "new_link" })).toMatchObject({ content: [{ uri: "via-new+test://one" }] });
  expect(await errorOf(client.readResource({ uri: "test://one" }))).toMatchObject({
    name: "RemoteResourceNotFoundError",
  });
  const updates: string[] = [];
  await client.subscribeResource({ uri: "via-old+test://one" }, (uri) => updates.push(uri));
  await client.callTool({ name: "new_touch" });
  await client.callTool({ name: "old_touch" });
  await expect.poll(() => updates).toEqual(["via-old+test://one"]);
  const ref = { type: "ref/resource", uri: "via-old+test://items/{id}" } as const;
  const { completion } = await client.complete({ ref, argument: { name: "id", value: "" } });
  expect(completion.values).toEqual(["1", "2"]);
});

test("resources that one server has keep their URIs, also in links", async () => {
  const other = new McpServer(info);
  other.registerResource("x", "other://x", {}, (uri) => ({ contents: [{ uri: uri.href, text: "x" }] }));
  const { client } = await connectTo({
    servers: { up: { server: everything("2026-07-28").server }, other: { server: other } },
  });
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["test://one", "other://x"]);
  expect(await client.callTool({ name: "up_link" })).toMatchObject({ content: [{ uri: "test://one" }] });
  expect((await client.readResource({ uri: "other://x" })).contents).toEqual([{ uri: "other://x", text: "x" }]);
});

test("tools can be chosen, renamed and described anew", async () => {
  const { server } = everything("2025-11-25");
  const { client } = await connectTo({
    servers: {
      up: {
        server,
        tools: {
          allow: ["a*", "work"],
          deny: ["ask"],
          rename: { add: "sum" },
          override: { add: { description: "Sums", annotations: { idempotentHint: true } } },
        },
      },
    },
    names: "none",
  });
  const { tools } = await client.listTools();
  expect(namesOf(tools)).toEqual(["sum", "work"]);
  expect(tools[0]).toMatchObject({
    description: "Sums",
    annotations: { readOnlyHint: true, idempotentHint: true },
  });
  expect(await client.callTool({ name: "sum", arguments: { a: 4, b: 5 } })).toMatchObject({
    structuredContent: { sum: 9 },
  });
  for (const name of ["add", "ask", "hang"])
    expect(await errorOf(client.callTool({ name }))).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` });
});

test("the first of two tools with one name stays, and the other is reported once", async () => {
  const { client, problems } = await connectTo({ servers: two(), names: "none" });
  const names = namesOf((await client.listTools()).tools);
  expect(new Set(names).size).toBe(names.length);
  await client.listTools();
  expect(problems.filter((problem) => problem.includes('server "new": "add" is left out'))).toHaveLength(1);
});

test("names of tools stay short and valid, and are found", async () => {
  const server = new McpServer(info);
  const long = "x".repeat(120);
  server.registerTool(long, {}, () => text("long"));
  const { client } = await connectTo({
    servers: { "My Server": { server } },
    names: { separator: "-", maxLength: 64 },
  });
  const { tools } = await client.listTools();
  expect(tools[0]?.name).toMatch(/^My_Server-x+_[\da-f]{8}$/);
  expect(tools[0]?.name).toHaveLength(64);
  expect(await client.callTool({ name: tools[0]?.name ?? "" })).toMatchObject({ content: [{ text: "long" }] });
});

test("instructions of connected servers name the prefix of their tools", async () => {
  const servers = two();
  const { client, gateway } = await connectTo({ servers, instructions: "Be kind." });
  expect(client.getInstructions()).toBe("Be kind.");
  await client.listTools();
  const { client: later } = clientOf("2025-11-25");
  await join(gateway, later);
  expect(later.getInstructions()).toContain('<server name="old" tools="old_*">\nUse old well.\n</server>');
});

test("update replaces servers, keeps others connected, and notifies clients", async () => {
  const stays = everything("2025-11-25", "stays");
  const goes = everything("2025-11-25", "goes");
  const kept = { server: stays.server };
  const { client, gateway } = await connectTo({ servers: { kept, goes: { server: goes.server } } }, "2025-11-25");
  await client.listTools();
  const [connection] = stays.server.server.connections;
  const running = client.callTool({ name: "goes_work" });
  let changes = 0;
  client.onChanged("tools", () => changes++);
  await settled();
  await gateway.update({ kept, added: { server: everything("2026-07-28").server } });
  expect(await running).toMatchObject({ content: [{ text: "worked" }] });
  await expect.poll(() => changes).toBe(1);
  const names = namesOf((await client.listTools()).tools);
  expect(names).toContain("kept_add");
  expect(names).toContain("added_add");
  expect(names).not.toContain("goes_add");
  expect([...stays.server.server.connections]).toEqual([connection]);
  expect(goes.server.server.connections.size).toBe(0);
  await expect(gateway.update({ broken: {} })).rejects.toThrow("has no source");
  expect(gateway.servers.map(({ name }) => name)).toEqual(["kept", "added"]);
});

test.each(eras)("many servers can be opened for one request, without a warning, at %s", async (revision) => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
  const servers = Object.fromEntries(names.map((name) => [name, { server: everything(revision, name).server }]));
  const { client } = await connectTo({ servers }, revision);
  const { tools } = await client.listTools();
  expect(names.every((name) => tools.some((tool) => tool.name === `${name}_add`))).toBe(true);
  await settled();
  expect(warnings).toEqual([]);
});

test("a list is sent as it is now, in the form of each revision", async () => {
  const server = new McpServer({ name: "growing", version: "1.0.0" });
  server.registerTool("first", { outputSchema: z.object({ sum: z.number() }) }, () => ({
    structuredContent: { sum: 1 },
  }));
  const gateway = createGateway({ servers: { one: { server } } });
  const listed = async (revision: Revision) => {
    const { client } = clientOf(revision);
    await join(gateway, client);
    return async () => (await client.listTools({}, { cacheMode: "refresh" })).tools;
  };
  const [older, newer] = [await listed("2024-11-05"), await listed("2026-07-28")];
  for (const time of ["first", "again"]) {
    expect(
      (await older()).map((tool) => "outputSchema" in tool),
      time,
    ).toEqual([false]);
    expect(
      (await newer()).map((tool) => "outputSchema" in tool),
      time,
    ).toEqual([true]);
  }
  server.registerTool("second", {}, () => text("second"));
  for (const list of [older, newer])
    await expect.poll(async () => (await list()).map(({ name }) => name)).toEqual(["one_first", "one_second"]);
});
