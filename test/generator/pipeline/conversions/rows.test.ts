import { describe, expect, test } from "vitest";
import { type Facts, show, stepOf } from "./steps.js";

type Direction = "up" | "down";
type Golden = readonly [
  what: string,
  direction: Direction,
  older: string,
  newer: string,
  facts: Facts,
  expected: string,
];

const text = (...lines: string[]): string => lines.join("\n");
const struct = (name: string, ...changes: string[]): string =>
  text(
    `function ${name}(value: unknown): unknown {`,
    "  if (!isObject(value)) return value;",
    ...changes.map((line) => `  ${line}`),
    "}",
  );

const media = 'interface Text { type: "text"; text: string; note?: string }';
const sound = 'interface Sound { type: "sound"; data: string; note?: string }';
const said = { by: "substitute", loss: "The sound." };

const goldens: readonly Golden[] = [
  [
    "same: keeps a member that the other revision does not list",
    "down",
    "interface Params { a: string }",
    "interface Params { a: string; b?: number }",
    {},
    "same",
  ],
  [
    "same: narrower values, an optional member that is required, further alternatives",
    "up",
    'interface Params { a: "x"; b: number; c: string }',
    'interface Params { a: "x" | "y"; b?: number; c: string | number }',
    {},
    "same",
  ],
  [
    "same: recursive types",
    "up",
    "interface Params { a?: Params[] }",
    "interface Params { a?: Params[]; b?: string }",
    {},
    "same",
  ],
  [
    "same: any JSON, to a type that lists every JSON type",
    "up",
    "interface Params { a: unknown; b: object }",
    "type J = string | number | boolean | null | O | J[]; type O = { [key: string]: J }; interface Params { a: J; b: O }",
    {},
    "same",
  ],
  [
    "fill: a member that only the other revision requires",
    "up",
    "interface Params {}",
    "interface Params { ttl: number }",
    { "Params.ttl": { fill: 0 } },
    text("fill", "- fill Params.ttl: `ttl` is set to 0.", struct("upParams", 'return put(value, value, "ttl", 0);')),
  ],
  [
    "fill: keeps a value that the old type does not list, if the entry says so",
    "up",
    "interface Params {}",
    "interface Params { ttl: number }",
    { "Params.ttl": { fill: 0, keep: true } },
    text("fill", "- fill Params.ttl: `ttl` is set to 0.", struct("upParams", 'return fill(value, value, "ttl", 0);')),
  ],
  [
    "fill: an entry applies to all types that inherit the member",
    "up",
    "interface Params { scope?: string }",
    "interface Base { ttl: number } interface Params extends Base { scope: string }",
    { "Base.ttl": { fill: 0, loss: "ttl" }, "Params.scope": { fill: "mine", loss: "scope" } },
    text(
      "fill",
      "- fill Base.ttl: ttl",
      "- fill Params.scope: scope",
      struct("upParams", 'let to = put(value, value, "ttl", 0);', 'return fill(value, to, "scope", "mine");'),
    ),
  ],
  [
    "drop: a nested member that has another meaning in the other revision",
    "down",
    "interface Item { a: string } interface Params { items: Item[] }",
    "interface Item { a: string; b?: string } interface Params { items: Item[] }",
    { "Item.b": { drop: true, loss: "b" } },
    text(
      "drop",
      "- drop Item.b: b",
      struct("downItem", 'return put(value, value, "b", undefined);'),
      struct("downParams", 'return put(value, value, "items", each(value["items"], downItem));'),
    ),
  ],
  [
    "substitute: an alternative that the other revision does not have",
    "down",
    `${media} interface Params { content: Text }`,
    `${media} ${sound} interface Params { content: Text | Sound }`,
    { Sound: { substitute: { type: "text", text: "[sound, {note}]" }, as: "Text", loss: said.loss } },
    text(
      "substitute",
      "- substitute Sound: The sound.",
      "function downSound(value: unknown): unknown {",
      "  return isObject(value)",
      '    ? replace(value, ["data"], { type: "text", text: ["[sound, ", value["note"], "]"].join("") })',
      "    : value;",
      "}",
      "function downParamsContent(value: unknown): unknown {",
      '  if (isObject(value) && value["type"] === "sound") return downSound(value);',
      "  return value;",
      "}",
      struct("downParams", 'return put(value, value, "content", downParamsContent(value["content"]));'),
    ),
  ],
  [
    "substitute: a string that the other revision does not have",
    "down",
    'interface Params { level: "low" | "high" }',
    'interface Params { level: "low" | "high" | "highest" }',
    { "Params.level": { substitute: { highest: "high" }, loss: "highest" } },
    text(
      "substitute",
      "- substitute Params.level: highest",
      "function downParamsLevel(value: unknown): unknown {",
      "  switch (value) {",
      '    case "highest":',
      '      return "high";',
      "    default:",
      "      return value;",
      "  }",
      "}",
      struct("downParams", 'return put(value, value, "level", downParamsLevel(value["level"]));'),
    ),
  ],
  [
    "function: a member, with a function that takes the parent object",
    "down",
    "interface Params { a?: object }",
    "interface Params { a?: unknown }",
    { "Params.a": { function: "lookBeside", loss: "a" } },
    text(
      "function",
      "- function Params.a: a",
      struct("downParams", 'return put(value, value, "a", customFunctions.lookBeside(value["a"], value));'),
    ),
  ],
  [
    "function: a whole type, at any place",
    "down",
    "interface A { a: string } interface Params { all: { [key: string]: A } }",
    "interface A { b: string } interface Params { all: { [key: string]: A } }",
    { A: { function: "rename", loss: "A" } },
    text(
      "function",
      "- function A: A",
      text("function downA(value: unknown): unknown {", "  return customFunctions.rename(value);", "}"),
      struct("downParams", 'return put(value, value, "all", eachValue(value["all"], downA));'),
    ),
  ],
  [
    "refuse: a member that must be absent, and one that must be present",
    "down",
    "interface Params { b: string }",
    "interface Params { a?: string; b?: string }",
    { "Params.a": { unsupported: "Leave it out.", loss: "a" }, "Params.b": { unsupported: "Say b.", loss: "no b" } },
    text(
      "refuse",
      "- refuse Params.b: no b",
      "- refuse Params.a: a",
      struct(
        "downParams",
        'refuseMember(value, "b", false, "Say b.");',
        'refuseMember(value, "a", true, "Leave it out.");',
        "return value;",
      ),
    ),
  ],
  [
    "refuse: lists where a single value is required",
    "down",
    "interface Params { a: string }",
    "interface Params { a: string | string[] }",
    { "Params.a[]": { unsupported: "Give one.", loss: "lists" } },
    text(
      "refuse",
      "- refuse Params.a[]: lists",
      "function downParamsA(value: unknown): unknown {",
      '  if (Array.isArray(value)) return refuse(value, "Give one.");',
      "  return value;",
      "}",
      struct("downParams", 'return put(value, value, "a", downParamsA(value["a"]));'),
    ),
  ],
  [
    "treats names of members as data",
    "down",
    "interface A { a: string } interface Params { __proto__: A; constructor?: A; 'a\"b': A }",
    "interface A { b: string } interface Params { __proto__: A; constructor?: A; 'a\"b': A }",
    { A: { function: "rename", loss: "A" } },
    text(
      "function",
      "- function A: A",
      text("function downA(value: unknown): unknown {", "  return customFunctions.rename(value);", "}"),
      struct(
        "downParams",
        'let to = put(value, value, "__proto__", downA(ownMember(value, "__proto__")));',
        'to = put(value, to, "constructor", downA(ownMember(value, "constructor")));',
        `return put(value, to, 'a"b', downA(value['a"b']));`,
      ),
    ),
  ],
  [
    "envelope: leaves members alone that the connection fills in",
    "up",
    "interface Params { a: string }",
    "interface Params { a: string; version: string }",
    { "Params.version": { envelope: true } },
    "same",
  ],
];

test.each(goldens)("%s", async (_, direction, older, newer, facts, expected) => {
  expect(await show(stepOf(older, newer, facts, direction))).toBe(expected);
});

test("treats optional params as empty", () => {
  const request = (params: string): string =>
    `interface Params {} interface MoreRequest { method: "more"; ${params} } interface MoreResult {} type ServerRequest = MoreRequest;`;
  const rows = (older: string, newer: string): unknown =>
    stepOf(request(older), request(newer), {}, "up").findings.map(({ message }) => message.split(":")[0]);
  expect(rows("", "params: { a: string }")).toEqual(["MoreRequestParams.a of r1 is required by the other revision"]);
  expect(rows("params?: { a: string }", "params: { a: string }")).toEqual([
    "MoreRequestParams.a of r1 is required by the other revision",
  ]);
  expect(rows("params?: { a: string }", "params?: { a: string }")).toEqual([]);
  expect(rows("params?: { a: string }", "params: { a?: string }")).toEqual([]);
  expect(rows("params: { a?: string }", "")).toEqual([]);
});

test("unsupported: a method that the other revision does not have, with a remedy", () => {
  const { step } = stepOf("interface Params {}", "interface Params {}");
  const { rows } = stepOf(
    "interface Params {}",
    'interface Params {} interface MoreRequest { method: "more" } interface MoreResult {} type ServerRequest = MoreRequest;',
    { more: { unsupported: "Do without." } },
  ).step;
  expect(step.rows.map(({ kind }) => kind)).toEqual(["same", "same"]);
  expect(rows.filter(({ method }) => method === "more")).toEqual(
    (["params", "result"] as const).map((part) => ({
      sender: "server",
      method: "more",
      part,
      kind: "unsupported",
      instead: "Do without.",
      losses: [{ kind: "unsupported", at: "more", text: "r1 does not have it" }],
    })),
  );
});

describe("distinguishes alternatives", () => {
  const known = 'interface A { type: "a"; x: string } interface Params { content: A }';
  const of = (b: string): string => `interface A { type: "a"; x: string } ${b} interface Params { content: A | B }`;
  test.each<[string, string, string]>([
    ["by a tag", 'interface B { type: "b"; x: string }', 'value["type"] === "b"'],
    [
      "by a tag with several values",
      'interface B { type: "b" | "c" }',
      '(value["type"] === "b" || value["type"] === "c")',
    ],
    ["by a member that the others do not have", "interface B { y: string }", 'value["y"] !== undefined'],
  ])("%s", async (_, b, expected) => {
    const shown = await show(stepOf(known, of(b), { B: { unsupported: "No.", loss: "B" } }));
    expect(shown).toContain(`if (isObject(value) && ${expected}) return refuse(value, "No.");`);
  });

  test("reports alternatives that cannot be distinguished", async () => {
    const shown = await show(stepOf(known, of("interface B { x: number }"), { B: { unsupported: "No.", loss: "B" } }));
    expect(shown).toContain(
      "! conversion-unstated r2.json:conversions.down: Params.content of r2 cannot be distinguished from",
    );
  });
});

describe("reports a conversion that the overlay does not state, and guesses nothing:", () => {
  test.each<[string, Direction, string, string, Facts, string]>([
    [
      "a member that the other revision requires",
      "up",
      "interface Params {}",
      "interface Params { a: string }",
      {},
      "Params.a of r1 is required by the other revision",
    ],
    [
      "a member that may be absent",
      "up",
      "interface Params { a?: string }",
      "interface Params { a: string }",
      {},
      "Params.a of r1 may be absent, but the other revision requires it",
    ],
    [
      "a wider type",
      "down",
      "interface Params { a: string }",
      "interface Params { a: unknown }",
      {},
      "Params.a of r2 is not accepted by the other revision",
    ],
    [
      "a list that may be longer",
      "up",
      "interface Params { a: string[] }",
      "interface Params {\n/** @maxItems 3 */\na: string[] }",
      {},
      "Params.a of r1 is not accepted by the other revision",
    ],
    [
      "a string that the other revision does not have",
      "down",
      'interface Params { a: "x" }',
      'interface Params { a: "x" | "y" }',
      {},
      "Params.a of r2 is not accepted by the other revision",
    ],
    [
      "a substitute that the other revision does not have either",
      "down",
      'interface Params { a: "x" | "w" }',
      'interface Params { a: "x" | "y" | "z" }',
      { "Params.a": { substitute: { y: "x", z: "q" }, loss: "a" } },
      "Params.a of r2 may be w, z, which the other revision does not have",
    ],
    [
      "a substitute that lacks a member",
      "down",
      `${media} interface Params { content: Text }`,
      `${media} ${sound} interface Params { content: Text | Sound }`,
      { Sound: { substitute: { type: "text" }, as: "Text", loss: "sound" } },
      "Sound of r2 has a substitute without text",
    ],
    [
      "a substitute with a wrong member",
      "down",
      `${media} interface Params { content: Text }`,
      `${media} ${sound} interface Params { content: Text | Sound }`,
      { Sound: { substitute: { type: "txt", text: "{data}" }, as: "Text", loss: "sound" } },
      "Sound of r2 has a substitute whose type is not accepted by the other revision",
    ],
    [
      "a substitute of an unknown type",
      "down",
      `${media} interface Params { content: Text }`,
      `${media} ${sound} interface Params { content: Text | Sound }`,
      { Sound: { substitute: { type: "text" }, as: "Txt", loss: "sound" } },
      "Sound of r2 has a substitute of an unknown type Txt",
    ],
    [
      "a value that does not fit",
      "up",
      "interface Params {}",
      "interface Params { a: string }",
      { "Params.a": { fill: 0 } },
      "Params.a of r1 is filled with a value that the other revision does not accept",
    ],
    [
      "a member that is dropped but required",
      "down",
      "interface Params { a: string }",
      "interface Params { a: string }",
      { "Params.a": { drop: true, loss: "a" } },
      "Params.a of r2 is dropped, but the other revision requires it",
    ],
    [
      "values that an index signature allows",
      "down",
      "interface Params { a?: string[] }",
      "interface Params { [key: string]: unknown }",
      {},
      "Params.a of r2 may be any value, which the other revision does not accept",
    ],
  ])("%s", (_, direction, older, newer, facts, expected) => {
    const { step, findings } = stepOf(older, newer, facts, direction);
    expect(findings.map(({ id, message }) => `${id} ${message}`)).toEqual([
      `conversion-unstated ${expected.replace("w, z", "z")}: no overlay states how to convert it to ${direction === "up" ? "r2" : "r1"}`,
    ]);
    expect(findings[0]?.hint).toBe(
      `Add it to the overlay of r2 under conversions.${direction}, as fill, drop, substitute, function or unsupported. Until then, messages that contain it are not converted.`,
    );
    const row = step.rows.find(({ part }) => part === "params");
    expect([row?.kind, row?.plan]).toEqual(["unsupported", undefined]);
    expect(row?.instead).toMatch(/^State in the overlay how to convert /);
  });

  test("reports an entry that matches nothing as an error", () => {
    const { errors } = stepOf("interface Params {}", "interface Params {}", { "Params.a": { drop: true, loss: "a" } });
    expect(errors.map(({ id, span, message }) => `${id} ${span?.file}: ${message}`)).toEqual([
      "overlay-stale r2.json:conversions.down.Params.a: conversions.down.Params.a matches nothing in the schema",
    ]);
  });
});
