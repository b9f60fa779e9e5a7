import { describe, expect, test } from "vitest";
import type { ExtensionOverlayFile } from "../../../../generator/shared/model/extension.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { baseSchema, layer, layerJson, rankOverlay } from "./layer.js";

const spec = "#x";
const item = "interface Item { name: string }";
const box = 'import type { Item } from "./base.js"; interface Box { item: Item }';
const ofBox = {
  imports: ["Item"],
  definitions: [{ name: "Box", members: [{ name: "item", type: { kind: "reference", name: "Item" } }] }],
};

describe("a file that is imported", () => {
  test.each<[what: string, schema: string, file: string]>([
    ["is a copy of the revision", box, baseSchema],
    ["repeats one type of the revision", box, item],
    ["repeats it with other doc comments", box, `/** A thing. */ ${item}`],
    [
      "repeats it under the name that the schema imports it by",
      'import type { Item as Thing } from "./base.js"; interface Box { item: Thing }',
      item,
    ],
    ["has other types, which are not used", box, `${item} interface Result { other: string }`],
  ])("that %s means the types of the revision", (_, schema, file) => {
    expect(layer(schema, rankOverlay(), baseSchema, { "./base.js": file }).layered.model).toMatchObject(ofBox);
  });

  test("can have types of its own, which refer to those of the revision", () => {
    const schema = 'import type { Shelf } from "./base.js"; interface Box { shelf: Shelf }';
    const file = `${item} interface Shelf { items: Item[]; result?: Result }`;
    const { model, baseDefinitions } = layer(schema, rankOverlay(), baseSchema, { "./base.js": file }).layered;
    expect(model.definitions.map(({ name }) => name)).toEqual(["Box", "Shelf"]);
    expect(baseDefinitions.map(({ name }) => name)).toEqual(["Result", "Item"]);
  });

  test.each<[what: string, schema: string, file: string, expected: readonly string[]]>([
    [
      "a type that differs from the revision's",
      box,
      "interface Item { name: string; size?: number }",
      ["./base.js:1:11 extension-import-differs: Item of the imported file differs from the type Item of revision r1"],
    ],
    [
      "a type that differs and is used by another one",
      'import type { Shelf } from "./base.js"; interface Box { shelf: Shelf }',
      "interface Shelf { items: Item[] } interface Item { name: number }",
      ["./base.js:1:45 extension-import-differs: Item of the imported file differs from the type Item of revision r1"],
    ],
    [
      "no type of that name",
      'import type { Prompt } from "./base.js"; interface Box { prompt: Prompt }',
      item,
      ["x.ts:1:15 import-name-missing: ./base.js, which is imported as ./base.js, does not declare Prompt"],
    ],
  ])("with %s is a diagnostic", (_, schema, file, expected) => {
    expect(problems(() => layer(schema, rankOverlay(), baseSchema, { "./base.js": file }))).toEqual(expected);
  });
});

const text = { type: "string" };
const any = { type: "object", additionalProperties: {} };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

describe("a JSON Schema", () => {
  test.each<[what: string, revision: string, definition: object]>([
    ["an interface", item, object({ name: text })],
    [
      "an interface with inherited members",
      "interface Named { name: string } interface Item extends Named {}",
      object({ name: text }),
    ],
    [
      "a constant, which is printed as its value",
      'const V = "2"; interface Item { name: typeof V }',
      object({ name: { const: "2" } }),
    ],
    [
      "a number, which is printed as an integer",
      "interface Item { name: number }",
      object({ name: { type: "integer" } }),
    ],
    ["null, which is lost", "interface Item { name: string | null }", object({ name: text })],
  ])("that repeats %s of the revision means the type of the revision", (_, revision, definition) => {
    const base = baseSchema.replace(item, revision);
    const { model } = layerJson({ Box: object({ item: ref("Item") }), Item: definition }, rankOverlay(), base).layered;
    expect(model).toMatchObject(ofBox);
  });

  test("cannot repeat a type with other facts", () => {
    const definitions = { Box: object({ item: ref("Item") }), Item: object({ name: { type: "boolean" } }) };
    expect(problems(() => layerJson(definitions))).toEqual([
      "x.json:1:108 extension-name-collision: Item is also a type of revision r1, and differs from it",
    ]);
  });

  test("has no constants, which an overlay can rename for the schema.ts of the same extension", () => {
    const overlay = rankOverlay({ names: { VERSION: { name: "RANK_VERSION" } } });
    expect(layerJson({ Box: object({}) }, overlay).layered.model.definitions).toHaveLength(1);
    expect(problems(() => layer("interface Box {}", overlay))).toEqual([
      "overlay.json:7:14 extension-type-missing: the overlay of com.example/rank names the type VERSION, which the schema does not declare or use",
    ]);
  });
});

describe("the messages of a JSON Schema", () => {
  const request = object({ method: text, params: any }, ["method"]);
  const message = (params: object) => ({
    allOf: [ref("Message"), object({ method: { const: "rank" }, params })],
  });
  const overlay = {
    requests: { client: { rank: { type: "RankRequest", result: "CallResult", routedBy: "query", spec } } },
  } satisfies Partial<ExtensionOverlayFile>;
  const modelOf = (definitions: object) =>
    layerJson({ Message: request, ...definitions }, rankOverlay(overlay)).layered.model;
  const query = object({ query: text });

  test.each<[what: string, definitions: object]>([
    ["inline params", { RankRequest: message(query) }],
    ["params of their own", { RankRequest: message(ref("Params")), Params: query }],
    ["params that are printed twice", { RankRequest: message(query), RankRequestParams: query }],
    [
      "params of several objects that are printed twice",
      {
        RankRequest: message({ allOf: [ref("Item"), { anyOf: [query, object({ other: text })] }] }),
        RankRequestParams: { allOf: [ref("Item"), { anyOf: [query, object({ other: text })] }] },
        Item: object({ name: text }),
      },
    ],
  ])("that add %s to a base have these params", (_, definitions) => {
    const { requests } = modelOf(definitions);
    expect(requests).toMatchObject([
      { params: "Params" in definitions ? "Params" : "RankRequestParams", paramsOptional: false, routedBy: "query" },
    ]);
  });

  test("cannot have inline params that differ from the params of their name", () => {
    const definitions = { RankRequest: message(query), RankRequestParams: object({ other: text }) };
    expect(problems(() => modelOf(definitions))).toEqual([
      expect.stringMatching(/^x\.json:1:\d+ name-collision: the derived name RankRequestParams is already declared/),
    ]);
  });
});
