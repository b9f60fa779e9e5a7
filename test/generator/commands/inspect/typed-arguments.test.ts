import { describe, expect, test } from "vitest";
import { z } from "zod";
import { argumentLine } from "../../../../generator/commands/inspect/argument-line.js";
import { typedArguments } from "../../../../generator/commands/inspect/typed-arguments.js";
import { problems } from "../../shared/diagnostics/problems.js";

const schema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: ["number", "null"] },
    flag: { type: "boolean" },
    list: { type: "array", items: { type: "integer" } },
    tags: { $ref: "#/$defs/tags" },
    thing: { type: "object" },
    level: { enum: [1, 2] },
    mode: { anyOf: [{ type: "boolean" }, { type: "string" }] },
    free: {},
    loop: { $ref: "#/properties/loop" },
  },
  $defs: { tags: { type: "array", items: { type: "string" } } },
};

describe("arguments are read as the schema says", () => {
  test.each([
    ["text=3", { text: "3" }],
    ["text=a=b", { text: "a=b" }],
    ["text=", { text: "" }],
    ["count=3", { count: 3 }],
    ["count=-3", { count: -3 }],
    ["ratio=0.5", { ratio: 0.5 }],
    ["ratio=null", { ratio: null }],
    ["flag=false", { flag: false }],
    ["list=1", { list: [1] }],
    ["list=[1,2]", { list: [1, 2] }],
    ["list=1 list=2", { list: [1, 2] }],
    ["tags=true", { tags: ["true"] }],
    ['thing={"a":1}', { thing: { a: 1 } }],
    ["level=2", { level: 2 }],
    ["mode=true", { mode: true }],
    ["mode=fast", { mode: "fast" }],
    ["free=1", { free: 1 }],
    ["free=x", { free: "x" }],
    ["loop=x", { loop: "x" }],
    ["unknown=[1]", { unknown: [1] }],
    ["text:=3", { text: 3 }],
    ["constructor=1", { constructor: 1 }],
  ])("%s", (line, expected) => {
    expect(typedArguments(line.split(" "), schema)).toEqual(expected);
  });

  test("where its root refers to a definition", () => {
    const referring = { $ref: "#/$defs/order", $defs: { order: { ...schema, $defs: {} }, tags: schema.$defs.tags } };
    expect(typedArguments(["text=3", "tags=true"], referring)).toEqual({ text: "3", tags: ["true"] });
    expect(argumentLine({ ...referring, $defs: { order: { properties: { text: { type: "string" } } } } })).toBe(
      "text?: string",
    );
    expect(argumentLine({ $ref: "https://h.example/schema" })).toBe("anything");
  });

  test.each([
    [z.int(), "integer"],
    [z.int().min(1), "integer 1.."],
    [z.int().max(7), "integer ..7"],
    [z.int().min(1).max(7), "integer 1..7"],
    [z.number(), "number"],
    [z.array(z.int()), "integer[]"],
  ])("bounds that say nothing are not printed: %#", (member, text) => {
    expect(argumentLine(z.toJSONSchema(z.object({ count: member })))).toBe(`count: ${text}`);
  });

  test("`__proto__` is an argument like others", () => {
    expect(Object.entries(typedArguments(["__proto__=1"], schema))).toEqual([["__proto__", 1]]);
  });
});

test.each([
  ["text", "text does not have the form key=value"],
  ["=x", "=x does not have the form key=value"],
  ["count=x", "count must be an integer, not x"],
  ["count=1.5", "count must be an integer, not 1.5"],
  ["count=", "count must be an integer, not "],
  ["flag=1", "flag must be a boolean, not 1"],
  ["thing=x", expect.stringMatching(/^thing must be JSON: /) as string],
  ["thing=[]", "thing must be an object as JSON, not []"],
  ["text=a text=b", "text was given 2 times, but is not an array"],
  ["text:=x", expect.stringMatching(/^text must be JSON: /) as string],
])("%s is refused", (line, reason) => {
  const found = problems(() => typedArguments(line.split(" "), schema));
  expect(found.map((one) => one.replace("request-arguments: ", ""))).toEqual([reason]);
});
