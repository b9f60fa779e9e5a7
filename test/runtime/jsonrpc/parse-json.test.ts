import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { measureJson, parseJson } from "../../../runtime/src/jsonrpc/parse-json.js";

describe("the number of values", () => {
  test.each([
    ["1", 0],
    ["[]", 1],
    ["[1,2,3]", 3],
    ['{"a":[{},{}]}', 5],
    ['"[,{"', 0],
    [String.raw`["\"[,{",1]`, 2],
  ])("of %s", (text, values) => {
    expect(measureJson(text).values).toBe(values);
  });

  test("is at least that of the values without the outermost, and at most twice all", () => {
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce<number>((sum, one) => sum + count(one), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { values } = measureJson(JSON.stringify(value));
        expect(values + 1).toBeGreaterThanOrEqual(count(value));
        expect(values).toBeLessThanOrEqual(2 * count(value));
      }),
    );
  });

  test("is checked before the text is parsed", () => {
    const parse = vi.spyOn(JSON, "parse");
    const text = `[${"{},".repeat(2 ** 20)}{}]`;
    expect(parseJson(text, {})).toEqual({
      problem: "The message has more than 1000000 values (option maxValues)",
    });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test("may be as large as the limit", () => {
    expect(parseJson("[1,2,3]", { maxValues: 3 }).value).toEqual([1, 2, 3]);
    expect(parseJson("[1,2,3]", { maxValues: 2 }).problem).toContain("more than 2 values");
    expect(parseJson("[1,2,3]", { maxValues: Infinity, maxDepth: Infinity }).value).toEqual([1, 2, 3]);
  });

  test("does not limit one long string", () => {
    const text = JSON.stringify(",".repeat(2_000_000));
    expect(parseJson(text, {}).value).toHaveLength(2_000_000);
  });
});
