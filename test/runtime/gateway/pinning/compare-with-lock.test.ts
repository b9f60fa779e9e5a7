import { describe, expect, test } from "vitest";
import type { Tool } from "../../../../runtime/src/authoring.js";
import { compareWithLock } from "../../../../runtime/src/gateway/pinning/compare-with-lock.js";
import { differencesOf } from "../../../../runtime/src/gateway/pinning/differences.js";
import { lockOf } from "../../../../runtime/src/gateway/pinning/gateway-lock.js";
import type { ServerSurface } from "../../../../runtime/src/gateway/pinning/server-surface.js";

const tool = (members: object = {}): Tool => ({
  name: "send",
  description: "Sends a mail.",
  inputSchema: { type: "object", properties: { to: { type: "string", enum: ["a", "b"] } } },
  ...members,
});
const approved: ServerSurface = {
  instructions: "Ask first.",
  tools: [tool(), tool({ name: "list" })],
  prompts: [{ name: "ask", arguments: [{ name: "topic" }] }],
};
const lock = await lockOf(new Map([["mail", approved]]));
const compare = (surface: ServerSurface) => compareWithLock(lock, "mail", surface);

test("an equal surface has no changes", () => {
  expect(compare(approved)).toEqual([]);
});

test.each([
  ["a list in another order", { tools: [...(approved.tools ?? [])].reverse() }],
  [
    "members in another order",
    {
      tools: [{ inputSchema: tool().inputSchema, description: "Sends a mail.", name: "send" }, tool({ name: "list" })],
    },
  ],
  ["new icons", { tools: [tool({ icons: [{ src: "a:b" }] }), tool({ name: "list" })] }],
  ["undefined members", { tools: [tool({ title: undefined }), tool({ name: "list" })] }],
  ["only the instructions", { instructions: "Ask first." }],
  ["nothing", {}],
])("%s has no changes", (_, surface) => {
  expect(compare(surface)).toEqual([]);
});

describe("a changed item", () => {
  test.each([
    ["description", { description: "Sends." }, [{ path: "/description", before: "Sends a mail.", after: "Sends." }]],
    ["removed description", { description: undefined }, [{ path: "/description", before: "Sends a mail." }]],
    [
      "added annotations",
      { annotations: { readOnlyHint: true } },
      [{ path: "/annotations", after: { readOnlyHint: true } }],
    ],
    ["added metadata", { _meta: { "a/b": 1 } }, [{ path: "/_meta", after: { "a/b": 1 } }]],
    ["unknown member", { extra: 0 }, [{ path: "/extra", after: 0 }]],
    [
      "schema",
      { inputSchema: { type: "object", properties: { "a/b": {}, to: { type: "string", enum: ["a", "c"] } } } },
      [
        { path: "/inputSchema/properties/a~1b", after: {} },
        { path: "/inputSchema/properties/to/enum/1", before: "b", after: "c" },
      ],
    ],
    [
      "longer enum",
      { inputSchema: { type: "object", properties: { to: { type: "string", enum: ["a", "b", "c"] } } } },
      [{ path: "/inputSchema/properties/to/enum", before: ["a", "b"], after: ["a", "b", "c"] }],
    ],
    [
      "type",
      { inputSchema: { type: "object", properties: [] } },
      [{ path: "/inputSchema/properties", before: { to: { type: "string", enum: ["a", "b"] } }, after: [] }],
    ],
    [
      "hidden character",
      { description: "Sends a mail.\u200b" },
      [{ path: "/description", before: "Sends a mail.", after: "Sends a mail.\u200b" }],
    ],
  ])("has a %s", (_, members, differences) => {
    const changes = compare({ tools: [tool(members), tool({ name: "list" })] });
    expect(changes).toEqual([{ change: "changed", server: "mail", kind: "tool", name: "send", differences }]);
  });

  test("has a hundred differences at most", () => {
    const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, {}]));
    const [change] = compare({
      tools: [tool({ inputSchema: { type: "object", properties } }), tool({ name: "list" })],
    });
    expect(change).toMatchObject({ change: "changed" });
    expect(change).toHaveProperty("differences.length", 100);
  });

  test("differs where it is too deep", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const [change] = compare({ tools: [tool({ inputSchema: deep }), tool({ name: "list" })] });
    expect(change).toMatchObject({ change: "changed", name: "send" });
  });

  test("differs where both values are too deep", () => {
    const nested = (): unknown => {
      let deep: unknown = 1;
      for (let level = 0; level < 100_000; level++) deep = [deep];
      return deep;
    };
    const [difference, ...others] = differencesOf(nested(), nested(), 100);
    expect(difference?.path).toBe("/0".repeat(1_000));
    expect(others).toEqual([]);
  });

  test("may be listed beside the approved one", () => {
    const changes = compare({ tools: [tool(), tool({ title: "x" }), tool({ name: "list" })] });
    expect(changes).toMatchObject([{ change: "changed", name: "send" }]);
  });
});

test("a member __proto__ is compared like others", async () => {
  const parse = (value: number): Tool =>
    JSON.parse(`{"name":"a","inputSchema":{"type":"object","__proto__":{"x":${value}}}}`) as Tool;
  const own = await lockOf(new Map([["a", { tools: [parse(1)] }]]));
  expect(compareWithLock(own, "a", { tools: [parse(1)] })).toEqual([]);
  expect(compareWithLock(own, "a", { tools: [parse(2)] })).toMatchObject([
    { differences: [{ path: "/inputSchema/__proto__/x", before: 1, after: 2 }] },
  ]);
});

test("members are not taken from prototypes", async () => {
  const own = await lockOf(new Map([["a", { tools: [tool({ annotations: {} })] }]]));
  const inherited = JSON.parse('{"constructor":1,"toString":2}') as object;
  expect(compareWithLock(own, "a", { tools: [tool({ annotations: inherited })] })).toMatchObject([
    {
      differences: [
        { path: "/annotations/constructor", after: 1 },
        { path: "/annotations/toString", after: 2 },
      ],
    },
  ]);
});

test("items are added and removed", () => {
  const added = tool({ name: "delete" });
  expect(compare({ instructions: "", tools: [tool(), added], prompts: [] })).toEqual([
    { change: "added", server: "mail", kind: "tool", name: "delete", after: added },
    { change: "removed", server: "mail", kind: "instructions", name: "", before: "Ask first." },
    {
      change: "removed",
      server: "mail",
      kind: "tool",
      name: "list",
      before: expect.objectContaining({ name: "list" }) as object,
    },
    {
      change: "removed",
      server: "mail",
      kind: "prompt",
      name: "ask",
      before: { name: "ask", arguments: [{ name: "topic" }] },
    },
  ]);
});

test("kinds that were not locked are added", () => {
  const resources = [{ name: "r", uri: "a:b" }];
  expect(compare({ resources })).toMatchObject([{ change: "added", kind: "resource", name: "a:b" }]);
});

test("a server that was not locked has only added items", () => {
  expect(compareWithLock(lock, "other", { instructions: "Hi", tools: [tool()] })).toMatchObject([
    { change: "unlocked", server: "other" },
    { change: "added", kind: "instructions", after: "Hi" },
    { change: "added", kind: "tool", name: "send" },
  ]);
});

test("a hundred thousand tools are compared", async () => {
  const tools = Array.from({ length: 100_000 }, (_, at) => tool({ name: `tool_${at}` }));
  const large = await lockOf(new Map([["a", { tools }]]));
  expect(compareWithLock(large, "a", { tools })).toEqual([]);
  expect(compareWithLock(large, "a", { tools: [...tools].reverse().slice(1) })).toMatchObject([
    { change: "removed", name: "tool_99999" },
  ]);
});
