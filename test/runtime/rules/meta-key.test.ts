import { expect, test } from "vitest";
import { isReservedMetaKey, parseMetaKey, type MetaKey } from "../../../runtime/src/rules/meta-key.js";

const keys: readonly [string, MetaKey | undefined][] = [
  ["progressToken", { name: "progressToken" }],
  ["", { name: "" }],
  ["a-b_c.d", { name: "a-b_c.d" }],
  ["0", { name: "0" }],
  ["com.example/name", { prefix: "com.example", name: "name" }],
  ["com.example/", { prefix: "com.example", name: "" }],
  ["x-1.y/a", { prefix: "x-1.y", name: "a" }],
  ["_name", undefined],
  ["name-", undefined],
  ["na me", undefined],
  ["näme", undefined],
  ["name\n", undefined],
  ["/name", undefined],
  ["a/b/c", undefined],
  ["1a/name", undefined],
  ["a-/name", undefined],
  ["a..b/name", undefined],
  ["a.b./name", undefined],
  ["a_b/name", undefined],
];
test.each(keys)("%j", (key, expected) => expect(parseMetaKey(key)).toEqual(expected));

const reserved: readonly [key: string, lastLabels: boolean, secondLabel: boolean][] = [
  ["modelcontextprotocol.io/a", true, false],
  ["mcp.dev/a", true, false],
  ["api.modelcontextprotocol.org/a", true, true],
  ["tools.mcp.com/", true, true],
  ["a.b.mcp.d.e/a", true, false],
  ["io.modelcontextprotocol/a", false, true],
  ["dev.mcp/a", false, true],
  ["com.mcp.tools/a", true, true],
  ["com.example.mcp/a", false, false],
  ["mcp/a", false, false],
  ["com.mcpx/a", false, false],
  ["mcp", false, false],
  ["progressToken", false, false],
  ["dev.mcp/-", false, false],
];
test.each(reserved)("whether %s is reserved", (key, lastLabels, secondLabel) => {
  expect(isReservedMetaKey(key, "none")).toBe(false);
  expect(isReservedMetaKey(key, "lastLabels")).toBe(lastLabels);
  expect(isReservedMetaKey(key, "secondLabel")).toBe(secondLabel);
});

test("checks a hostile key fast", () => {
  expect(parseMetaKey(`${"a".repeat(1_000_000)}!`)).toBeUndefined();
  expect(parseMetaKey(`${"a-".repeat(500_000)}/a`)).toBeUndefined();
});
