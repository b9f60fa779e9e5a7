import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../../../runtime/src/authoring.js";
import { canonicalText } from "../../../../runtime/src/gateway/pinning/canonical-text.js";
import { formatLock, lockOf } from "../../../../runtime/src/gateway/pinning/gateway-lock.js";
import { parseLock } from "../../../../runtime/src/gateway/pinning/parse-lock.js";
import type { ServerSurface } from "../../../../runtime/src/gateway/pinning/server-surface.js";

const tool = (name: string, members: object = {}): Tool => ({ name, inputSchema: { type: "object" }, ...members });
const lockOne = (surface: ServerSurface) => lockOf(new Map([["mail", surface]]));

describe("canonical JSON", () => {
  test.each([
    [
      "members by code unit",
      { b: 1, a: 2, "€": 3, "\r": 4, "1": 5, "😀": 6, "\ufb33": 7 },
      '{"\\r":4,"1":5,"a":2,"b":1,"€":3,"😀":6,"\ufb33":7}',
    ],
    ["numbers as ECMAScript", [1e30, 4.5, 2e-3, 1e-27, -0], "[1e+30,4.5,0.002,1e-27,0]"],
    ["literals", [null, true, false], "[null,true,false]"],
    ["strings", '€$\u000f\nA\'\u0042"\\"', '"€$\\u000f\\nA\'B\\"\\\\\\""'],
    ["lone surrogates", "\ud800", '"\\ud800"'],
    [
      "members that JSON does not have",
      { a: undefined, b: () => 1, c: [undefined], d: Number.NaN, e: 1n },
      '{"c":[null],"d":null,"e":"1"}',
    ],
    ["a member __proto__", JSON.parse('{"b":1,"__proto__":{"a":2}}'), '{"__proto__":{"a":2},"b":1}'],
  ])("has %s (RFC 8785)", (_, value, text) => {
    expect(canonicalText(value)).toBe(text);
  });

  test("has a thousand levels at most", () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(canonicalText(nested(1_000))).toHaveLength(2_001);
    expect(() => canonicalText(nested(1_001))).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  });
});

describe("a lock", () => {
  test("has the items of servers in a stable order, with digests", async () => {
    const surface: ServerSurface = {
      tools: [tool("b"), tool("a", { description: "Sends." })],
      prompts: [{ name: "a" }],
      resources: [{ name: "r", uri: "a:b" }],
      templates: [{ name: "t", uriTemplate: "a:{b}" }],
      instructions: "Be careful.",
    };
    const lock = await lockOf(
      new Map([
        ["z", {}],
        ["mail", surface],
      ]),
    );
    expect(lock.servers.map(({ name }) => name)).toEqual(["mail", "z"]);
    expect(lock.servers[0]?.items.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "instructions ",
      "tool a",
      "tool b",
      "prompt a",
      "resource a:b",
      "template a:{b}",
    ]);
    const text = '{"description":"Sends.","inputSchema":{"type":"object"},"name":"a"}';
    expect(lock.servers[0]?.items[1]).toEqual({
      kind: "tool",
      name: "a",
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
      value: { description: "Sends.", inputSchema: { type: "object" }, name: "a" },
    });
  });

  test("does not depend on the order of lists and members", async () => {
    const first = await lockOf(
      new Map([
        ["a", { tools: [tool("x"), tool("y")] }],
        ["b", { instructions: "" }],
      ]),
    );
    const second = await lockOf(
      new Map([
        ["b", { instructions: "" }],
        ["a", { tools: [tool("y"), { inputSchema: { type: "object" }, name: "x" }] }],
      ]),
    );
    expect(formatLock(second)).toBe(formatLock(first));
  });

  test("does not contain what changes without a change of meaning", async () => {
    const lock = await lockOne({
      tools: [tool("a", { icons: [{ src: "https://example.com/a.png" }], _meta: { "x/y": 1 } })],
      resources: [
        { name: "r", uri: "a:1", size: 1, annotations: { lastModified: "2026-01-01", priority: 1 } },
        { name: "r", uri: "a:2", annotations: { lastModified: "2026-01-01" } },
      ],
    });
    expect(lock.servers[0]?.items.map(({ value }) => value)).toEqual([
      { name: "a", inputSchema: { type: "object" }, _meta: { "x/y": 1 } },
      { name: "r", uri: "a:1", annotations: { priority: 1 } },
      { name: "r", uri: "a:2" },
    ]);
  });

  test("shows hidden characters in its text, and is read back", async () => {
    const lock = await lockOne({ tools: [tool("a", { description: "Sends.\u{e0068}\u202e\ud800 é" })] });
    const text = formatLock(lock);
    expect(text).toContain('"description": "Sends.\\udb40\\udc68\\u202e\\ud800 é"');
    expect(await parseLock(text)).toEqual(lock);
  });

  test("has an item that is listed twice only once", async () => {
    expect((await lockOne({ tools: [tool("a"), tool("a")] })).servers[0]?.items).toHaveLength(1);
  });

  test("is not made of two items of one name", async () => {
    await expect(lockOne({ tools: [tool("a"), tool("a", { title: "b" })] })).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: 'tool "a" of server "mail" is listed twice, with different definitions',
    });
  });

  test("is not made of an item that is too deep", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    await expect(lockOne({ tools: [tool("a", { _meta: deep as object })] })).rejects.toThrow(
      'tool "a" of server "mail" cannot be locked: it is nested deeper than 1000 levels',
    );
  });

  test("holds servers and tools with the names of inherited members", async () => {
    const hostile = JSON.parse('{"name":"__proto__","inputSchema":{"type":"object","__proto__":{"x":1}}}') as Tool;
    const lock = await lockOf(new Map([["__proto__", { tools: [hostile, tool("constructor")] }]]));
    expect(await parseLock(formatLock(lock))).toEqual(lock);
    expect(formatLock(lock)).toContain('"__proto__": {\n');
  });

  test("holds a hundred thousand tools", async () => {
    const tools = Array.from({ length: 100_000 }, (_, at) => tool(`tool_${at}`));
    const { servers } = await lockOne({ tools });
    expect(servers[0]?.items).toHaveLength(100_000);
    expect(new Set(servers[0]?.items.map(({ digest }) => digest)).size).toBe(100_000);
  });
});
