/** Extensions between clients and servers, through a gateway. */
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Client, ClientOptions } from "../../../runtime/src/client.js";
import {
  createGateway,
  type GatewayExtension,
  type GatewayServer,
  skillsThrough,
  tasksThrough,
} from "../../../runtime/src/gateway.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { memorySkillFiles, SkillCatalog, skills } from "../../../runtime/src/skills.js";
import { skills as clientSkills } from "../../../runtime/src/skills/client.js";
import { tasks } from "../../../runtime/src/tasks.js";
import { tasks as clientTasks } from "../../../runtime/src/tasks/client.js";
import { clientOf, errorOf, info, type Revision, text } from "../api/pair.js";
import { httpTransport, overHttp } from "./http.js";
import { join } from "./in-memory.js";

interface Setup extends ClientOptions {
  readonly revision?: Revision;
}

async function connectTo(
  servers: Record<string, GatewayServer>,
  through: readonly GatewayExtension[],
  { revision = "2026-07-28", ...options }: Setup,
): Promise<{ client: Client; problems: string[] }> {
  const problems: string[] = [];
  const onerror = ({ message }: Error) => problems.push(message);
  const gateway = createGateway({ servers, extensions: through, names: "none", onerror });
  const { client } = clientOf(revision, options);
  await join(gateway, client);
  return { client, problems };
}

const form = { type: "object", properties: { city: { type: "string" } } } as const;

function working(tool = "work"): McpServer {
  const server = new McpServer(info, { extensions: [tasks()], onerror: () => undefined });
  server.registerTool(tool, { inputSchema: z.object({ n: z.number() }), task: "optional" }, ({ n }) =>
    text(`${tool} ${n}`),
  );
  server.registerTool(`${tool}_link`, { task: "optional" }, () => ({
    content: [{ type: "resource_link", uri: "test://one", name: "one" }],
  }));
  server.registerTool(`${tool}_ask`, { task: "optional" }, async ({ elicit }) => {
    const { content } = await elicit("city", { mode: "form", message: "Which?", requestedSchema: form });
    return text(JSON.stringify(content));
  });
  server.registerResource("one", "test://one", {}, () => ({ contents: [] }));
  return server;
}

const asTask = { extensions: [clientTasks()] };
const through = [tasksThrough()];

describe("tasks", () => {
  test.each(["memory", "http"])("run at a server that is connected over %s, with progress and results", async (by) => {
    const server = working();
    const source = by === "http" ? overHttp(server) : { server };
    const { client } = await connectTo({ up: source }, through, asTask);
    expect(client.getServerCapabilities()?.extensions).toEqual({ "io.modelcontextprotocol/tasks": {} });
    const statuses: string[] = [];
    const onStatus = ({ status }: { status: string }) => void statuses.push(status);
    const result = await client.callTool({ name: "work", arguments: { n: 1 } }, { onStatus } as object);
    expect(result.content).toEqual([{ type: "text", text: "work 1" }]);
    expect(statuses).toContain("completed");
  });

  test("ask for input", async () => {
    const capabilities = { elicitation: {} };
    const { client } = await connectTo({ up: { server: working() } }, through, { ...asTask, capabilities });
    client.setRequestHandler("elicitation/create", ({ message }) => ({ action: "accept", content: { city: message } }));
    expect(await client.callTool({ name: "work_ask" })).toMatchObject({ content: [{ text: '{"city":"Which?"}' }] });
  });

  test("are found at their server, and their results have the URIs of clients", async () => {
    const servers = { one: { server: working("one") }, two: { server: working("two") } };
    const { client } = await connectTo(servers, through, asTask);
    await client.listResources();
    const result = await client.callTool({ name: "two_link" });
    expect(result.content).toMatchObject([{ uri: "via-two+test://one" }]);
  });

  test("are not created for clients that have not declared the extension", async () => {
    const servers = { up: { server: working() } };
    const { client } = await connectTo(servers, through, {});
    expect(await client.callTool({ name: "work", arguments: { n: 2 } })).toMatchObject({
      content: [{ text: "work 2" }],
    });
    const { client: old } = await connectTo(servers, through, { revision: "2025-11-25" });
    expect(await old.callTool({ name: "work", arguments: { n: 3 } })).toMatchObject({ content: [{ text: "work 3" }] });
  });

  test("of another gateway are found, and unknown ones are an error", async () => {
    const servers = {
      plain: { server: new McpServer(info) },
      one: { server: working("one") },
      up: { server: working() },
    };
    const first = await connectTo(servers, through, { extensions: through.map(({ client }) => client) });
    const created = (await first.client.callTool({ name: "work", arguments: { n: 4 } })) as object as {
      taskId: string;
    };
    expect(created).toMatchObject({ resultType: "task", taskId: expect.any(String) as string });
    const again = await connectTo(servers, [tasksThrough()], { extensions: through.map(({ client }) => client) });
    const { taskId } = created;
    expect(await again.client.request("tasks/get" as never, { taskId } as never)).toMatchObject({ taskId });
    const unknown = again.client.request("tasks/get" as never, { taskId: "none" } as never);
    expect(await errorOf(unknown)).toMatchObject({ code: -32602 });
  });

  test("belong to the principal that created them", async () => {
    const gateway = createGateway({ servers: { up: { server: working() } }, names: "none", extensions: through });
    const handler = createMcpHandler(gateway);
    onTestFinished(() => gateway.close(0));
    const clientFor = async (subject: string): Promise<Client> => {
      const principal = { issuer: "https://i.test", subject };
      const { client } = clientOf("2026-07-28", { extensions: through.map(({ client: one }) => one) });
      await client.connect(httpTransport((url, init) => handler.fetch(new Request(url, init), { principal })));
      onTestFinished(() => client.close());
      return client;
    };
    const ann = await clientFor("ann");
    const { taskId } = (await ann.callTool({ name: "work", arguments: { n: 5 } })) as object as { taskId: string };
    expect(await ann.request("tasks/get" as never, { taskId } as never)).toMatchObject({ taskId });
    const mallory = await clientFor("mallory");
    for (const id of [taskId, "none"])
      expect(await errorOf(mallory.request("tasks/get" as never, { taskId: id } as never))).toMatchObject({
        code: -32602,
        message: "Invalid params: there is no task with this taskId, or no longer",
      });
  });
});

async function skilled(...names: string[]): Promise<McpServer> {
  const files = names.map((name) => [
    `${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: How to ${name}\n---\nDo it.\n`,
  ]);
  const parseFrontmatter = (yaml: string): unknown =>
    Object.fromEntries(yaml.split("\n").flatMap((line) => (line === "" ? [] : [line.split(": ")])));
  const catalog = await SkillCatalog.load(memorySkillFiles(Object.fromEntries(files) as Record<string, string>), {
    parseFrontmatter,
    pageSize: 1,
  });
  return new McpServer(info, { extensions: [skills(catalog)], onerror: () => undefined });
}

describe.each(["2025-11-25", "2026-07-28"] as const)("skills at %s", (revision) => {
  const options = { revision, extensions: [clientSkills()] };
  const request = (client: Client, method: string, params: object = {}): Promise<Record<string, unknown>> =>
    client.request(method as never, params as never);

  test("of all servers are one list, and can be read", async () => {
    const servers = {
      one: { server: await skilled("bake", "cook") },
      plain: { server: new McpServer(info) },
      two: { server: await skilled("fry") },
    };
    const { client } = await connectTo(servers, [skillsThrough()], options);
    expect(client.getServerCapabilities()?.extensions).toEqual({
      "io.modelcontextprotocol/skills": { directoryRead: true },
    });
    const { skills: listed } = (await request(client, "skills/list")) as { skills: { uri: string }[] };
    expect(listed.map(({ uri }) => uri)).toEqual([
      "skill://bake/SKILL.md",
      "skill://cook/SKILL.md",
      "skill://fry/SKILL.md",
    ]);
    const { skill } = await request(client, "skills/get", { uri: "skill://bake/SKILL.md" });
    expect(skill).toEqual(listed[0]);
    const { contents } = await client.readResource({ uri: "skill://fry/SKILL.md" });
    expect(contents).toMatchObject([
      { uri: "skill://fry/SKILL.md", text: expect.stringContaining("Do it.") as string },
    ]);
    const directory = await request(client, "resources/directory/read", { uri: "skill://cook" });
    expect(directory["resources"]).toMatchObject([{ uri: "skill://cook/SKILL.md" }]);
  });

  test("that no server has are an error", async () => {
    const { client } = await connectTo({ up: { server: await skilled("bake") } }, [skillsThrough()], options);
    for (const uri of ["skill://none/SKILL.md", "other://none"])
      expect(await errorOf(request(client, "skills/get", { uri }))).toMatchObject({ code: -32602 });
    expect(await errorOf(request(client, "skills/list", { cursor: "x" }))).toMatchObject({ code: -32602 });
  });

  test("of servers that fail are missing", async () => {
    const servers = {
      hanging: { transport: () => new Promise<never>(() => undefined), listTimeoutMs: 20 },
      broken: { transport: () => Promise.reject(new Error("it is broken")) },
      up: { server: await skilled("bake") },
    };
    const { client } = await connectTo(servers, [skillsThrough()], options);
    expect(await request(client, "skills/list")).toMatchObject({
      skills: [{ uri: "skill://bake/SKILL.md" }],
      _meta: { "mcpwright/unavailable": [{ server: "hanging" }, { server: "broken" }] },
    });
  });
});
