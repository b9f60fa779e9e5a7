import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { CorpusChange, Corpus } from "../../generator/pipeline/emit/corpus/corpus.js";
import { published, readGenerated } from "../support/protocol.js";

type Predicate = (value: unknown) => boolean;

describe.each(published)("the corpus of $revision", ({ revision, entry, model }) => {
  const corpus = readGenerated(`${revision}/corpus.json`) as Corpus;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(readGenerated(`${revision}/schema.json`) as object, "schema");

  test("contains every type", () => {
    expect(Object.keys(corpus.types)).toEqual(model.definitions.map(({ name }) => name));
  });

  test("has the verdicts of the predicate and of JSON Schema", () => {
    const wrong: string[] = [];
    for (const [name, { instances, changes }] of Object.entries(corpus.types)) {
      const is = entry[`is${name}`] as Predicate;
      const validate = ajv.getSchema(`schema#/$defs/${name}`) as Predicate;
      for (const value of instances) if (!is(value) || !validate(value)) wrong.push(`${name} ${JSON.stringify(value)}`);
      for (const change of changes) {
        const changed = apply(structuredClone(instances[change.of]), change);
        if (is(changed) !== change.valid || validate(changed) !== change.valid) wrong.push(`${name} ${JSON.stringify(change)}`);
      }
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  test("contains each member present, absent and of each wrong JSON type", () => {
    const missing = model.definitions.flatMap((definition) => {
      if (definition.kind !== "struct") return [];
      const changes = corpus.types[definition.name]?.changes ?? [];
      return definition.members
        .filter(({ name }) => {
          const own = changes.filter(({ path }) => path.length === 1 && path[0] === name);
          return own.length < 7 || !own.some((change) => !("value" in change));
        })
        .map(({ name }) => `${definition.name}.${name}`);
    });
    expect(missing).toEqual([]);
  });
});

test("contains values on both sides of each bound", () => {
  const corpus = readGenerated("2026-07-28/corpus.json") as Corpus;
  const at = (type: string, member: string): [unknown, boolean][] =>
    (corpus.types[type]?.changes ?? []).filter(({ path }) => path.join(".") === member).map(({ value, valid }) => [value, valid]);
  expect(at("Annotations", "priority")).toEqual(expect.arrayContaining([[0, true], [-1, false], [1, true], [2, false]]));
  expect(at("ListToolsResult", "ttlMs")).toEqual(expect.arrayContaining([[0, true], [-1, false]]));
  const values = at("CompleteResult", "completion.values").filter(([value]) => Array.isArray(value) && value.length > 50);
  expect(values.map(([value, valid]) => [(value as unknown[]).length, valid])).toEqual([[100, true], [101, false]]);
});

function apply(root: unknown, { path, ...change }: CorpusChange): unknown {
  const last = path.at(-1);
  if (last === undefined) return change.value;
  const holder = path.slice(0, -1).reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], root);
  const container = holder as Record<string | number, unknown>;
  if ("value" in change) container[last] = change.value;
  else Reflect.deleteProperty(container, last);
  return root;
}
