import { describe, expect, test } from "vitest";
import { z } from "zod";
import { McpServer, type RegisteredItem, ResourceTemplate } from "../../../runtime/src/server.js";
import { connect, errorOf, eras, info, methods, type Pair, revisions, settled, text, thrown } from "./pair.js";

interface Kind {
  readonly register: (server: McpServer, name: string) => RegisteredItem<{ name?: string; title?: string }>;
  readonly page: (pair: Pair, cursor: string | undefined) => Promise<{ names: string[]; nextCursor?: string }>;
  readonly all: (pair: Pair) => Promise<string[]>;
  readonly changed: "tools" | "prompts" | "resources";
}

const namesOf = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name);
const next = ({ nextCursor }: { nextCursor?: string }) => (nextCursor === undefined ? {} : { nextCursor });

const kinds: readonly [string, Kind][] = [
  [
    "tools",
    {
      register: (server, name) => server.registerTool(name, {}, () => text(name)),
      page: async ({ client }, cursor) => {
        const page = await client.connection.request("tools/list", cursor === undefined ? {} : { cursor });
        const { tools, ...rest } = page as { tools: { name: string }[]; nextCursor?: string };
        return { names: namesOf(tools), ...next(rest) };
      },
      all: async ({ client }) => namesOf((await client.listTools()).tools),
      changed: "tools",
    },
  ],
  [
    "prompts",
    {
      register: (server, name) => server.registerPrompt(name, {}, () => ({ messages: [] })),
      page: async ({ client }, cursor) => {
        const page = await client.connection.request("prompts/list", cursor === undefined ? {} : { cursor });
        const { prompts, ...rest } = page as { prompts: { name: string }[]; nextCursor?: string };
        return { names: namesOf(prompts), ...next(rest) };
      },
      all: async ({ client }) => namesOf((await client.listPrompts()).prompts),
      changed: "prompts",
    },
  ],
  [
    "resources",
    {
      register: (server, name) => server.registerResource(name, `test:${name}`, {}, () => ({ contents: [] })),
      page: async ({ client }, cursor) => {
        const page = await client.connection.request("resources/list", cursor === undefined ? {} : { cursor });
        const { resources, ...rest } = page as { resources: { name: string }[]; nextCursor?: string };
        return { names: namesOf(resources), ...next(rest) };
      },
      all: async ({ client }) => namesOf((await client.listResources()).resources),
      changed: "resources",
    },
  ],
  [
    "resource templates",
    {
      register: (server, name) =>
        server.registerResource(name, new ResourceTemplate(`test:${name}/{x}`), {}, () => ({ contents: [] })),
      page: async ({ client }, cursor) => {
        const page = await client.connection.request(
          "resources/templates/list",
          cursor === undefined ? {} : { cursor },
        );
        const { resourceTemplates, ...rest } = page as { resourceTemplates: { name: string }[]; nextCursor?: string };
        return { names: namesOf(resourceTemplates), ...next(rest) };
      },
      all: async ({ client }) => namesOf((await client.listResourceTemplates()).resourceTemplates),
      changed: "resources",
    },
  ],
];

function many(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `item${index}`);
}

describe.each(kinds)("%s", (_kind, { register, page, all, changed }) => {
  describe("pages", () => {
    function serve(count = 250) {
      const server = new McpServer(info, { pageSize: 100 });
      const items = new Map(many(count).map((name) => [name, register(server, name)]));
      return { server, items };
    }

    test.each(eras)("%s: returns 250 items on three pages, in the order of registration", async (revision) => {
      const pair = await connect(serve().server, revision);
      const first = await page(pair, undefined);
      const second = await page(pair, first.nextCursor);
      const third = await page(pair, second.nextCursor);
      expect([first, second, third].map(({ names }) => names.length)).toEqual([100, 100, 50]);
      expect(third.nextCursor).toBeUndefined();
      expect([...first.names, ...second.names, ...third.names]).toEqual(many(250));
      expect(await all(pair)).toEqual(many(250));
    });

    test("a full last page has no cursor", async () => {
      const pair = await connect(serve(200).server, "2025-11-25");
      const { nextCursor } = await page(pair, undefined);
      const last = await page(pair, nextCursor);
      expect([last.names.length, last.nextCursor]).toEqual([100, undefined]);
    });

    test("the same cursor returns the same page", async () => {
      const pair = await connect(serve().server, "2026-07-28");
      const { nextCursor } = await page(pair, undefined);
      const second = await page(pair, nextCursor);
      expect(await page(pair, nextCursor)).toEqual(second);
      expect((await page(pair, undefined)).nextCursor).toBe(nextCursor);
    });

    test("items that are added or removed between two pages do not shift others", async () => {
      const { server, items } = serve();
      const pair = await connect(server, "2026-07-28");
      const first = await page(pair, undefined);
      for (const name of ["item0", "item50", "item99", "item150"]) items.get(name)?.remove();
      items.get("item160")?.disable();
      register(server, "new");
      const second = await page(pair, first.nextCursor);
      const third = await page(pair, second.nextCursor);
      const later = many(250).slice(100);
      expect([...second.names, ...third.names]).toEqual([
        ...later.filter((name) => !["item150", "item160"].includes(name)),
        "new",
      ]);
    });

    test.each(revisions)("%s: rejects a foreign cursor", async (revision) => {
      const { server } = serve();
      const pair = await connect(server, revision);
      const { nextCursor = "" } = await page(pair, undefined);
      const foreign = kinds.find(([, { register: other }]) => other !== register);
      const other = new McpServer(info, { pageSize: 1 });
      for (const name of many(3)) foreign?.[1].register(other, name);
      const stranger = await foreign?.[1].page(await connect(other, revision), undefined);
      const tampered = [
        "",
        "x",
        "====",
        `${nextCursor}=`,
        ` ${nextCursor}`,
        btoa("tool 1000000"),
        btoa("tool -1"),
        btoa("tool 1e1"),
      ];
      for (const cursor of [...tampered, stranger?.nextCursor])
        expect(await errorOf(page(pair, cursor)), cursor).toMatchObject({ code: -32602 });
    });
  });

  test.each(revisions)("%s: returns the same list three times in a row", async (revision) => {
    const server = new McpServer(info);
    for (const name of ["b", "a", "c"]) register(server, name);
    const pair = await connect(server, revision);
    const answers = [await page(pair, undefined), await page(pair, undefined), await page(pair, undefined)];
    expect(answers[0]?.names).toEqual(["b", "a", "c"]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const results = pair.wire.filter(({ direction, result }) => direction === "in" && result).slice(-3);
    expect(new Set(results.map(({ result }) => JSON.stringify(result))).size).toBe(1);
  });

  describe.each(eras)("%s: changes", (revision) => {
    async function watching() {
      const server = new McpServer(info);
      const item = register(server, "first");
      const pair = await connect(server, revision);
      const heard: string[][] = [];
      pair.client.onChanged(changed, () => heard.push([]));
      await settled();
      const told = async (action: () => void) => {
        const before = heard.length;
        action();
        await settled();
        return [heard.length - before, await all(pair)];
      };
      return { server, item, pair, told };
    }

    test("every change of an item is reported", async () => {
      const { server, item, told } = await watching();
      expect(await told(() => item.update({ title: "Title" }))).toEqual([1, ["first"]]);
      expect(await told(() => item.disable())).toEqual([1, []]);
      expect(item.enabled).toBe(false);
      expect(await told(() => item.disable())).toEqual([0, []]);
      expect(await told(() => item.enable())).toEqual([1, ["first"]]);
      expect(await told(() => register(server, "second"))).toEqual([1, ["first", "second"]]);
      expect(await told(() => item.update({ name: "renamed" }))).toEqual([1, ["renamed", "second"]]);
      expect(await told(() => item.remove())).toEqual([1, ["second"]]);
      expect(await told(() => item.remove())).toEqual([0, ["second"]]);
      expect(await told(() => item.update({ title: "after the end" }))).toEqual([0, ["second"]]);
      expect(await told(() => item.enable())).toEqual([0, ["second"]]);
    });

    test("changes in one tick are reported once", async () => {
      const { server, item, pair, told } = await watching();
      const before = methods(pair.wire, "in").length;
      expect(
        await told(() => {
          register(server, "second");
          register(server, "third").remove();
          item.disable();
        }),
      ).toEqual([1, ["second"]]);
      expect(methods(pair.wire, "in").slice(before)).toEqual([`notifications/${changed}/list_changed`]);
    });

    test("a removed listener is not called", async () => {
      const { server, pair } = await watching();
      let heard = 0;
      const end = pair.client.onChanged(changed, () => heard++);
      await settled();
      end();
      await settled();
      register(server, "second");
      await settled();
      expect(heard).toBe(0);
    });
  });

  test.each(eras)("%s: changes are not reported if the server does not declare listChanged", async (revision) => {
    const server = new McpServer(info, { capabilities: { [changed]: {} } });
    register(server, "first");
    const { client, wire } = await connect(server, revision);
    let heard = 0;
    client.onChanged(changed, () => heard++);
    await settled();
    register(server, "second");
    await settled();
    expect([heard, methods(wire, "in")]).toEqual([0, []]);
  });

  test("an invalid update changes nothing", async () => {
    const server = new McpServer(info);
    const first = register(server, "first");
    register(server, "second");
    expect(thrown(() => first.update({ name: "second", uri: "test:second" } as never))).toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
    expect(thrown(() => first.update({ callback: null } as never))).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(await all(await connect(server, "2025-11-25"))).toEqual(["first", "second"]);
  });
});

test("an updated tool runs with its new schema and callback", async () => {
  const server = new McpServer(info);
  const tool = server.registerTool("t", { inputSchema: z.object({ a: z.string() }) }, ({ a }) => text(a));
  const { client } = await connect(server, "2025-11-25");
  tool.update({
    inputSchema: z.object({ b: z.number() }),
    callback: ({ b }: { b: number }) => text(String(b + 1)),
  });
  expect(await client.callTool({ name: "t", arguments: { b: 1 } })).toMatchObject(text("2"));
  expect(await client.callTool({ name: "t", arguments: { a: "x" } })).toMatchObject({ isError: true });
  tool.disable();
  expect(await errorOf(client.callTool({ name: "t", arguments: { b: 1 } }))).toMatchObject({ code: -32602 });
});

test("a resource moves to another URI", async () => {
  const server = new McpServer(info);
  const resource = server.registerResource("r", "test:old", {}, ({ href }) => ({
    contents: [{ uri: href, text: href }],
  }));
  const { client } = await connect(server, "2025-11-25");
  resource.update({ uri: "test:new" });
  expect((await client.readResource({ uri: "test:new" })).contents).toEqual([{ uri: "test:new", text: "test:new" }]);
  expect(await errorOf(client.readResource({ uri: "test:old" }))).toMatchObject({ code: -32602 });
});

test("lists have the cache hints of the options, in revisions that have them", async () => {
  const server = new McpServer(info, { cacheHints: { "tools/list": { ttlMs: 5_000, cacheScope: "public" } } });
  server.registerTool("t", {}, () => text(""));
  server.registerPrompt("p", {}, () => ({ messages: [] }));
  const { client } = await connect(server, "2026-07-28");
  expect(await client.listTools()).toMatchObject({ ttlMs: 5_000, cacheScope: "public" });
  expect(await client.listPrompts()).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  const older = await connect(server, "2025-11-25");
  expect(await older.client.connection.request("tools/list", {})).not.toHaveProperty("ttlMs");
});
