import { describe, expect, test } from "vitest";
import type { Prompt, Tool } from "../../../../runtime/src/authoring.js";
import { joinItems } from "../../../../runtime/src/gateway/composition/join-items.js";
import { nameScheme } from "../../../../runtime/src/gateway/composition/name-scheme.js";
import { SelectedTools } from "../../../../runtime/src/gateway/composition/tool-selection.js";

function tool(name: string, description = name): Tool {
  return { name, description, inputSchema: { type: "object" } };
}

const withPrefix = nameScheme(undefined, ["files", "web"]).nameOf;
const withoutPrefix = nameScheme("none", ["files", "web"]).nameOf;

test("tools get the prefix of their server, in the order of servers and lists", () => {
  const read = tool("read");
  const { items, byName, refused } = joinItems(
    [
      { server: "web", items: [tool("search"), tool("fetch")] },
      { server: "files", items: [read] },
    ],
    withPrefix,
  );
  expect(items.map(({ name }) => name)).toEqual(["web_search", "web_fetch", "files_read"]);
  expect(items[2]).toEqual({ ...read, name: "files_read" });
  expect(byName.get("files_read")).toEqual({ server: "files", name: "read", item: read });
  expect(byName.get("files_read")?.item).toBe(read);
  expect(read.name).toBe("read");
  expect(byName.size).toBe(3);
  expect(refused).toEqual([]);
});

test("an item whose name does not change is the same object", () => {
  const read = tool("read");
  const { items } = joinItems([{ server: "files", items: [read] }], withoutPrefix);
  expect(items[0]).toBe(read);
});

test("selections hide, rename and override before names are made; the server's item stays", () => {
  const tools = [tool("get_a"), tool("get_b"), tool("put")];
  const selection = new SelectedTools({
    deny: ["get_b"],
    rename: { "get_*": "fetch_*" },
    override: { get_a: { description: "new" } },
  });
  const { items, byName, refused } = joinItems([{ server: "web", items: tools, selection }], withPrefix);
  expect(items).toEqual([{ ...tool("web_fetch_a", "new") }, tool("web_put", "put")]);
  expect(byName.get("web_fetch_a")).toEqual({ server: "web", name: "get_a", item: tools[0] });
  expect(refused).toEqual([]);
});

test("prompts are joined, too", () => {
  const prompts: Prompt[] = [{ name: "größe 1", arguments: [{ name: "a" }] }];
  const { items } = joinItems(
    [{ server: "web", items: prompts }],
    nameScheme({ separator: "." }, ["web"], "prompts").nameOf,
  );
  expect(items).toEqual([{ name: "web.größe 1", arguments: [{ name: "a" }] }]);
});

describe("refused items", () => {
  test("two servers with one name: the first stays", () => {
    const { items, byName, refused } = joinItems(
      [
        { server: "files", items: [tool("read", "first")] },
        { server: "web", items: [tool("read", "second"), tool("other")] },
      ],
      withoutPrefix,
    );
    expect(items.map(({ description }) => description)).toEqual(["first", "other"]);
    expect(byName.get("read")?.server).toBe("files");
    expect(refused).toEqual([
      {
        server: "web",
        name: "read",
        reason:
          '"read" of server "web" would have the name "read", which clients see for "read" of server "files", which comes first; rename one of them, or choose another scheme of names',
      },
    ]);
  });

  test("prefixes that meet", () => {
    const { items, refused } = joinItems(
      [
        { server: "a", items: [tool("b_c")] },
        { server: "a_b", items: [tool("c")] },
      ],
      nameScheme(undefined, ["a", "a_b"]).nameOf,
    );
    expect(items).toHaveLength(1);
    expect(refused).toMatchObject([{ server: "a_b", name: "c" }]);
  });

  test("a tool that its server lists twice: the first stays", () => {
    const { items, refused } = joinItems(
      [{ server: "web", items: [tool("a", "first"), tool("a", "second")] }],
      withPrefix,
    );
    expect(items).toEqual([{ ...tool("web_a", "first") }]);
    expect(refused).toEqual([
      { server: "web", name: "a", reason: 'server "web" lists "a" more than once; clients see the first' },
    ]);
  });

  test("a new name that the server has already", () => {
    const selection = new SelectedTools({ rename: { b: "a" } });
    const { refused } = joinItems([{ server: "web", items: [tool("a"), tool("b")], selection }], withPrefix);
    expect(refused).toEqual([
      {
        server: "web",
        name: "b",
        reason:
          '"b" of server "web" would have the name "web_a", which clients see for "a" of the same server; rename one of them, or choose another scheme of names',
      },
    ]);
  });

  test("a name that the scheme cannot make does not stop the others", () => {
    const { nameOf } = nameScheme((_, name) => (name === "bad" ? "a b" : name), ["web"]);
    const { items, refused } = joinItems([{ server: "web", items: [tool("bad"), tool("good")] }], nameOf);
    expect(items.map(({ name }) => name)).toEqual(["good"]);
    expect(refused).toEqual([
      {
        server: "web",
        name: "bad",
        reason: 'names("web", "bad") must return 1 to 128 letters, digits, "_", "-" and ".", not "a b"',
      },
    ]);
  });
});

describe("hostile lists", () => {
  test("names of object members", () => {
    const names = ["__proto__", "constructor", "hasOwnProperty"];
    const { items, byName, refused } = joinItems(
      [{ server: "__proto__", items: names.map((name) => tool(name)) }],
      withoutPrefix,
    );
    expect(items.map(({ name }) => name)).toEqual(names);
    expect(byName.get("__proto__")?.server).toBe("__proto__");
    expect(byName.get("toString")).toBeUndefined();
    expect(refused).toEqual([]);
  });

  test("names of 10,000 characters are shortened in reasons", () => {
    const name = "x".repeat(10_000);
    const { refused } = joinItems([{ server: name, items: [tool(name), tool(name)] }], withPrefix);
    expect(refused[0]?.reason.length).toBeLessThan(500);
  });

  test("100,000 tools, each twice, take little time", () => {
    const tools = Array.from({ length: 200_000 }, (_, index) => tool(`tool ${index % 100_000}`));
    const start = performance.now();
    const { items, byName, refused } = joinItems([{ server: "web", items: tools }], withPrefix);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect([byName.size, items.length + refused.length]).toEqual([items.length, 200_000]);
    // Hashes have 32 bits: of 100,000 names, one or two may meet.
    expect(items.length).toBeGreaterThan(99_980);
  });
});
