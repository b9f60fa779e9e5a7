import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../runtime/src/jsonrpc/canonical-json.js";
import { digestParams } from "../../../runtime/src/request-state/digest-params.js";

const texts: readonly [string, unknown, string][] = [
  ["sorts members", { b: 1, a: { d: 2, c: [] } }, '{"a":{"c":[],"d":2},"b":1}'],
  ["sorts inside lists and keeps their order", [{ b: 1, a: 2 }, 1], '[{"a":2,"b":1},1]'],
  ["prints numbers like JSON", [1.0, 1e21, -0, 0.1], "[1,1e+21,0,0.1]"],
  ["omits undefined members", { a: undefined, b: null }, '{"b":null}'],
  ["keeps a date", { a: new Date(0) }, '{"a":"1970-01-01T00:00:00.000Z"}'],
  [
    "keeps members with names of inherited ones",
    JSON.parse('{"toString":1,"__proto__":2}'),
    '{"__proto__":2,"toString":1}',
  ],
  ["is null for undefined", undefined, "null"],
];
test.each(texts)("canonical JSON %s", (_, value, text) => expect(canonicalJson(value)).toBe(text));

/** Returns the same value with the members of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test("canonical JSON is equal for any order of members", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

describe("the digest of params", () => {
  const params = { name: "t", arguments: { a: 1, b: [2] } };

  test("is SHA-256 of the canonical JSON", async () => {
    const text = '{"arguments":{"a":1,"b":[2]},"name":"t"}';
    expect(await digestParams(params)).toBe(createHash("sha256").update(text).digest("base64url"));
  });

  const same: readonly [string, object][] = [
    ["another order", { arguments: { b: [2], a: 1 }, name: "t" }],
    ["another progress token", { ...params, _meta: { progressToken: 2 } }],
    ["answers", { ...params, inputResponses: { a: {} } }],
    ["a state", { ...params, requestState: "v1" }],
  ];
  test.each(same)("ignores %s", async (_, other) => expect(await digestParams(other)).toBe(await digestParams(params)));

  const others: readonly [string, object][] = [
    ["another name", { ...params, name: "u" }],
    ["another argument", { ...params, arguments: { a: 1, b: [3] } }],
    ["another type", { ...params, arguments: { a: "1", b: [2] } }],
    ["a further argument", { ...params, arguments: { ...params.arguments, c: null } }],
    ["metadata among the arguments", { ...params, arguments: { ...params.arguments, _meta: {} } }],
  ];
  test.each(others)("differs for %s", async (_, other) =>
    expect(await digestParams(other)).not.toBe(await digestParams(params)),
  );

  test("treats absent params as empty params", async () => expect(await digestParams()).toBe(await digestParams({})));
});
