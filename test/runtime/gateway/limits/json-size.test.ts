import { describe, expect, test } from "vitest";
import { jsonSize } from "../../../../runtime/src/gateway/limits/json-size.js";

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("is the size that JSON.stringify writes", () => {
  test.each([
    ["a string", "abc"],
    ["an empty string", ""],
    ["quotes and backslashes", '"\\/'],
    ["all characters of one byte", Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("")],
    ["characters of two, three and four bytes", "é€你😀\u{10ffff}\u2028"],
    ["lone surrogates", "\ud800a\udc00\ud800"],
    ["numbers", [0, -0, 1.5, 1e21, -1e-7, Number.NaN, Number.MAX_VALUE]],
    ["literals", [true, false, null]],
    ["empty containers", [[], {}, [[]], [{}], { a: {} }]],
    ["members", { a: 1, "é\n": [1, 2, { b: "c" }], c: null }],
    ["members that JSON does not have", { a: undefined, b: () => 1, c: [undefined, () => 1], d: Symbol("a") }],
    ["a member __proto__", JSON.parse('{"__proto__":{"a":1},"b":2}')],
    ["sparse arrays", new Array(3)],
    ["a result", { content: [{ type: "text", text: "Hallo, Jürgen" }], structuredContent: { n: 1 }, isError: false }],
  ])("for %s", (_, value) => {
    expect(jsonSize(value, Infinity)).toBe(bytes(value));
    expect(jsonSize(value, bytes(value))).toBe(bytes(value));
    expect(jsonSize(value, bytes(value) - 1)).toBeGreaterThan(bytes(value) - 1);
  });

  test("for nothing", () => {
    expect(jsonSize(undefined, Infinity)).toBe(4);
  });
});

describe("stops at the limit", () => {
  /** An object that counts how many of its members are read. */
  const counted = (length: number): { readonly value: unknown; readonly reads: () => number } => {
    let reads = 0;
    const value = new Proxy(new Array<number>(length).fill(1), {
      get: (target, key, receiver) => {
        if (typeof key === "string" && key !== "length") reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    return { value, reads: () => reads };
  };

  test("without reading the items of a list that is too long", () => {
    const { value, reads } = counted(1_000_000);
    expect(jsonSize(value, 1_000)).toBeGreaterThan(1_000);
    expect(reads()).toBe(0);
  });

  test("and reads no member after it", () => {
    const { value, reads } = counted(1_000);
    expect(jsonSize(["x".repeat(10_000), value], 5_000)).toBeGreaterThan(5_000);
    expect(reads()).toBe(0);
  });

  test("in long strings", () => {
    expect(jsonSize("x".repeat(10_000_000), 1_000)).toBeGreaterThan(1_000);
    expect(jsonSize("é".repeat(10_000_000), 10_000_100)).toBeGreaterThan(10_000_100);
    expect(jsonSize("é".repeat(10_000_000), Infinity)).toBe(20_000_002);
  });
});

test("a value that is too deep, or refers to itself, is too large", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 1_000_000; level++) deep = [deep];
  const loop: unknown[] = [];
  loop.push(loop);
  expect(jsonSize(deep, Infinity)).toBe(Infinity);
  expect(jsonSize(loop, Infinity)).toBe(Infinity);
});
