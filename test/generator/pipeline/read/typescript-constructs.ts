/** A type `T` for each construct of TypeScript, with the JSON Schema that has the same meaning. */
export interface Construct {
  readonly what: string;
  /** The type, in TypeScript. */
  readonly type: string;
  /** The meaning, written by hand. */
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
  /** Why the compiler does not take the generated type for this one, although they have the same JSON values. */
  readonly differs?: string;
}

/** The declarations to which the constructs refer. */
export const others = `
export interface Circle { kind: "circle"; radius: number }
export interface Square { kind: "square"; side?: number }
export type Shape = Circle | Square;
export interface Base { id: string; note?: string }
export interface Open { id: string; [key: string]: unknown }
export type Side = "left" | "right";
export interface Page<Item, Cursor = string> extends Base { items: Item[]; next?: Cursor }
export type Maybe<Value> = Value | null;
export interface Tree<Value> { value: Value; nodes?: Tree<Value>[] }
export declare enum Level { Low = "low", High = "high" }
`;

const string = { type: "string" };
const number = { type: "number" };
const closed = (...values: readonly unknown[]): object => ({ enum: values });
/** An object with members; those whose name ends in `?` may be absent. */
const object = (members: Readonly<Record<string, unknown>>, rest?: unknown): object => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ""), schema])),
  required: Object.keys(members).filter((name) => !name.endsWith("?")),
  ...(rest !== undefined && { additionalProperties: rest }),
});
const circle = { kind: { const: "circle" }, radius: number };
const square = { kind: { const: "square" }, "side?": number };

export const constructs: readonly Construct[] = [
  {
    what: "bounds in doc comments",
    type: `{
      /** @minLength 2
       * @maxLength 4 */
      text: string;
      /** @pattern ^[a-z]+$ */
      word?: string;
      /** @exclusiveMinimum 0
       * @multipleOf 0.5 */
      above?: number;
      /** @exclusiveMaximum 1 */
      below?: number;
      /** @uniqueItems */
      set?: number[];
    }`,
    schema: object({
      text: { type: "string", minLength: 2, maxLength: 4 },
      "word?": { type: "string", pattern: "^[a-z]+$" },
      "above?": { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      "below?": { type: "number", exclusiveMaximum: 1 },
      "set?": { type: "array", items: number, uniqueItems: true },
    }),
    valid: [{ text: "ab" }, { text: "😀😀😀😀" }, { text: "ab", word: "x", above: 1.5, below: 0, set: [1, 2] }],
    invalid: [
      { text: "a" },
      { text: "abcde" },
      { text: "ab", word: "X" },
      { text: "ab", above: 0 },
      { text: "ab", above: 0.75 },
      { text: "ab", below: 1 },
      { text: "ab", set: [1, 1] },
    ],
  },
  {
    what: "Record with literals",
    type: 'Record<"a" | "b", number>',
    schema: object({ a: number, b: number }),
    valid: [
      { a: 1, b: 2 },
      { a: 1, b: 2, c: "x" },
    ],
    invalid: [{ a: 1 }, { a: 1, b: "2" }, {}, []],
  },
  {
    what: "Record with a name for literals, some of which may be undefined",
    type: "Record<Side, string | undefined>",
    schema: object({ "left?": string, "right?": string }),
    valid: [{}, { left: "a" }, { left: "a", right: "b", other: 1 }],
    invalid: [{ left: 1 }, { right: null }, "left"],
    differs: "undefined is not absence",
  },
  {
    what: "Partial of a Record",
    type: "Partial<Record<Side, 1>>",
    schema: object({ "left?": { const: 1 }, "right?": { const: 1 } }),
    valid: [{}, { left: 1 }],
    invalid: [{ left: 2 }, { right: "1" }],
  },
  {
    what: "an object without members",
    type: "Record<string, never>",
    schema: { type: "object", maxProperties: 0 },
    valid: [{}],
    invalid: [{ a: 1 }, { a: null }, [], null],
  },
  {
    what: "a member that must be absent",
    type: "{ a: string; b?: never } | { a?: never; b: number }",
    schema: {
      anyOf: [object({ a: string, "b?": { not: {} } }), object({ "a?": { not: {} }, b: number })],
    },
    valid: [{ a: "x" }, { b: 1 }, { a: "x", c: 1 }],
    invalid: [{ a: "x", b: 1 }, { b: 1, a: null }, {}, { a: 1 }],
  },
  {
    what: "an array of nothing",
    type: "never[]",
    schema: { type: "array", maxItems: 0 },
    valid: [[]],
    invalid: [[1], {}],
  },
  {
    what: "Pick",
    type: 'Pick<Circle & Base, "kind" | "note">',
    schema: object({ kind: { const: "circle" }, "note?": string }),
    valid: [{ kind: "circle" }, { kind: "circle", note: "x", radius: "any" }],
    invalid: [{}, { kind: "circle", note: 1 }, { kind: "square" }],
  },
  {
    what: "Omit of an intersection",
    type: 'Omit<Circle & { b: 1 }, "kind">',
    schema: object({ radius: number, b: { const: 1 } }),
    valid: [
      { radius: 1, b: 1 },
      { radius: 1, b: 1, kind: 5 },
    ],
    invalid: [{ radius: 1 }, { radius: "1", b: 1 }],
  },
  {
    what: "Partial",
    type: "Partial<Circle>",
    schema: object({ "kind?": { const: "circle" }, "radius?": number }),
    valid: [{}, { radius: 2 }],
    invalid: [{ kind: "square" }, { radius: null }],
  },
  {
    what: "Required",
    type: "Required<Square>",
    schema: object({ kind: { const: "square" }, side: number }),
    valid: [{ kind: "square", side: 1 }],
    invalid: [{ kind: "square" }, { side: 1 }],
  },
  {
    what: "Partial of each object of a union",
    type: "Required<Shape>",
    schema: { anyOf: [object(circle), object({ ...square, side: number })] },
    valid: [
      { kind: "circle", radius: 1 },
      { kind: "square", side: 1 },
    ],
    invalid: [{ kind: "square" }, { kind: "circle" }, { kind: "other" }],
  },
  {
    what: "the names of members",
    type: "keyof Circle",
    schema: closed("kind", "radius"),
    valid: ["kind", "radius"],
    invalid: ["circle", 1, {}],
  },
  {
    what: "the type of a member",
    type: '{ kind: Shape["kind"]; list: Page<Side>["items"][number]; side: Required<Square>["side"] }',
    schema: object({ kind: closed("circle", "square"), list: closed("left", "right"), side: number }),
    valid: [{ kind: "square", list: "left", side: 0 }],
    invalid: [
      { kind: "left", list: "left", side: 0 },
      { kind: "square", list: "up", side: 0 },
      { kind: "square", list: "left" },
    ],
  },
  {
    what: "the type of a member that may be absent",
    type: '{ side: Square["side"] }',
    schema: object({ "side?": number }),
    valid: [{}, { side: 1 }],
    invalid: [{ side: "1" }],
    differs: "undefined is not absence",
  },
  {
    what: "an intersection with a union",
    type: 'Base & Shape & { tag: "x" }',
    schema: {
      anyOf: [circle, square].map((members) =>
        object({ id: string, "note?": string, tag: { const: "x" }, ...members }),
      ),
    },
    valid: [
      { id: "a", tag: "x", kind: "circle", radius: 1 },
      { id: "a", note: "b", tag: "x", kind: "square" },
    ],
    invalid: [
      { id: "a", tag: "x", kind: "circle" },
      { tag: "x", kind: "square" },
      { id: "a", kind: "square" },
      { id: "a", tag: "x", kind: "other" },
    ],
  },
  {
    what: "an intersection of two unions, of which one alternative has no value",
    type: 'Shape & ({ kind: "circle"; a: 1 } | { b: 2 })',
    schema: {
      anyOf: [
        object({ ...circle, a: { const: 1 } }),
        object({ ...circle, b: { const: 2 } }),
        object({ ...square, b: { const: 2 } }),
      ],
    },
    valid: [
      { kind: "circle", radius: 1, a: 1 },
      { kind: "circle", radius: 1, b: 2 },
      { kind: "square", b: 2 },
    ],
    invalid: [
      { kind: "square", a: 1 },
      { kind: "circle", radius: 1 },
      { kind: "circle", a: 1 },
    ],
  },
  {
    what: "an intersection that narrows members",
    type: '{ a: string | number; b: Shape; c?: { x: 1 } } & { a: 1 | 2 | true; b: { kind: "square" }; c: { y?: 2 } }',
    schema: object({
      a: closed(1, 2),
      b: object(square),
      c: object({ x: { const: 1 }, "y?": { const: 2 } }),
    }),
    valid: [
      { a: 1, b: { kind: "square" }, c: { x: 1 } },
      { a: 2, b: { kind: "square", side: 1 }, c: { x: 1, y: 2 } },
    ],
    invalid: [
      { a: 3, b: { kind: "square" }, c: { x: 1 } },
      { a: true, b: { kind: "square" }, c: { x: 1 } },
      { a: 1, b: { kind: "circle", radius: 1 }, c: { x: 1 } },
      { a: 1, b: { kind: "square" }, c: { x: 1, y: 1 } },
      { a: 1, b: { kind: "square" } },
    ],
  },
  {
    what: "an intersection with an index signature",
    type: "Shape & { [key: string]: unknown }",
    schema: { anyOf: [object(circle), object(square)] },
    valid: [{ kind: "square", x: 1 }],
    invalid: [{ kind: "circle", x: 1 }, { x: 1 }],
  },
  {
    what: "an intersection of large unions",
    type: `(${each("a")}) & (${each("b")})`,
    schema: {
      allOf: ["a", "b"].map((name) => object({ [name]: closed(...Array.from({ length: 17 }, (_, at) => at)) })),
    },
    valid: [
      { a: 0, b: 16 },
      { a: 3, b: 3, c: 1 },
    ],
    invalid: [{ a: 0 }, { a: 17, b: 1 }, { a: 1, b: "1" }],
  },
  {
    what: "an enumeration that is open by `string & {}`",
    type: '"a" | (string & {})',
    schema: string,
    valid: ["a", "b", ""],
    invalid: [1, null],
  },
  {
    what: "an enum",
    type: "{ level: Level }",
    schema: object({ level: closed("low", "high") }),
    valid: [{ level: "low" }],
    invalid: [{ level: "Low" }, { level: 0 }],
    differs: "strings are not values of an enum",
  },
  {
    what: "a generic interface with bases",
    type: "{ shapes: Page<Shape, number>; names: Page<string> }",
    schema: object({
      shapes: object({
        id: string,
        "note?": string,
        items: { type: "array", items: { anyOf: [object(circle), object(square)] } },
        "next?": number,
      }),
      names: object({ id: string, "note?": string, items: { type: "array", items: string }, "next?": string }),
    }),
    valid: [{ shapes: { id: "", items: [], next: 1 }, names: { id: "", items: ["a"], next: "b" } }],
    invalid: [
      { shapes: { id: "", items: [], next: "1" }, names: { id: "", items: [] } },
      { shapes: { id: "", items: [{ kind: "circle" }] }, names: { id: "", items: [] } },
      { shapes: { items: [] }, names: { id: "", items: [] } },
    ],
  },
  {
    what: "a generic alias",
    type: "{ a: Maybe<string>; b: Maybe<Maybe<Circle>> }",
    schema: object({ a: { type: ["string", "null"] }, b: { anyOf: [{ type: "null" }, object(circle)] } }),
    valid: [
      { a: null, b: null },
      { a: "x", b: { kind: "circle", radius: 0 } },
    ],
    invalid: [{ a: 1, b: null }, { a: null, b: {} }, { a: null }],
  },
  {
    what: "a recursive generic type",
    type: "Tree<Side>",
    schema: {
      $defs: {
        tree: object({
          value: closed("left", "right"),
          "nodes?": { type: "array", items: { $ref: "#/definitions/TREE/$defs/tree" } },
        }),
      },
      $ref: "#/definitions/TREE/$defs/tree",
    },
    valid: [{ value: "left" }, { value: "left", nodes: [{ value: "right", nodes: [] }] }],
    invalid: [{}, { value: "up" }, { value: "left", nodes: [{ value: "up" }] }],
  },
  {
    what: "a template with text in front",
    type: "`ui://${string}`",
    schema: { type: "string", pattern: "^ui://" },
    valid: ["ui://", "ui://a/b\n"],
    invalid: ["ui:/", " ui://", "", 1],
  },
  {
    what: "a template with text behind",
    type: "`${string}.json`",
    schema: { type: "string", pattern: "\\.json$" },
    valid: [".json", "a.b.json", "\n.json"],
    invalid: ["json", ".json\n", ".jsonx"],
  },
  {
    what: "a template with text around",
    type: "{ a: `<${string}>`; b: `${string}/${string}`; c: `a${string}b${string}` }",
    schema: object({
      a: { type: "string", pattern: "^<[^]*>$" },
      b: { type: "string", pattern: "/" },
      c: { type: "string", pattern: "^a[^]*b" },
    }),
    valid: [
      { a: "<>", b: "/", c: "ab" },
      { a: "<\n>", b: "x/y", c: "a.b." },
    ],
    invalid: [
      { a: "<", b: "/", c: "ab" },
      { a: "<>", b: "x", c: "ab" },
      { a: "<>", b: "/", c: "ba" },
    ],
  },
  {
    what: "an array of templates",
    type: "`x${string}`[]",
    schema: { type: "array", items: { type: "string", pattern: "^x" } },
    valid: [[], ["x", "xy"]],
    invalid: [["y"], [1], "x"],
  },
  {
    what: "a Record with names of a template",
    type: "Record<`x-${string}`, number>",
    schema: { type: "object", patternProperties: { "^x-": number } },
    valid: [{}, { "x-a": 1, b: "any" }],
    invalid: [{ "x-a": "1" }, { "x-": null }, []],
    differs: "the generated type does not restrict names",
  },
  {
    what: "members that may be undefined",
    type: "{ a?: number | undefined; b: string | undefined; c: undefined }",
    schema: object({ "a?": number, "b?": string, "c?": { not: {} } }),
    valid: [{}, { a: 1, b: "x" }],
    invalid: [{ a: null }, { b: 1 }, { c: 1 }],
    differs: "undefined is not absence",
  },
  {
    what: "readonly arrays",
    type: "{ readonly a: readonly string[]; b: ReadonlyArray<Readonly<Circle>> }",
    schema: object({ a: { type: "array", items: string }, b: { type: "array", items: object(circle) } }),
    valid: [
      { a: [], b: [] },
      { a: ["x"], b: [{ kind: "circle", radius: 1 }] },
    ],
    invalid: [{ a: [1], b: [] }, { a: [], b: [{}] }, { a: [] }],
    differs: "readonly arrays are not arrays",
  },
];

function each(name: string): string {
  return Array.from({ length: 17 }, (_, at) => `{ ${name}: ${at} }`).join(" | ");
}
