import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Corpus } from "../../../../generator/pipeline/emit/corpus/corpus.js";
import { printType } from "../../../../generator/pipeline/emit/type-printer.js";
import { foreignModel, foreignSchema, type ForeignSchema } from "../../../support/foreign-schema.js";
import { damage, randomFrom, randomInstances } from "../../../support/random-instances.js";
import { strictest, typecheck } from "../../../support/typecheck.js";
import { show, showDefinition } from "../passes/show.js";
import { constructs, others } from "./json-constructs.js";

const environment = join(import.meta.dirname, "../../../generated/fixtures/environment.d.ts");
const name = (at: number): string => `T${at}`;
const definitions = { ...others, ...Object.fromEntries(constructs.map(({ schema }, at) => [name(at), schema])) };

type Judge = (type: string, value: unknown) => boolean;

function ajvOf(schema: object, container: string): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allowUnionTypes: true });
  ajv.addSchema(schema, "schema");
  return (type, value) => ajv.getSchema(`schema#/${container}/${type}`)?.(value) === true;
}

let generated: ForeignSchema;
const judge = ajvOf({ definitions }, "definitions");
beforeAll(async () => {
  generated = await foreignSchema(definitions);
});

describe.each(constructs.map((construct, at) => ({ ...construct, at })))(
  "$what",
  ({ at, model, type, valid, invalid }) => {
    test("has a model and a type", () => {
      const definition = generated.model.definitions.find((found) => found.name === name(at));
      expect(definition && showDefinition(definition)).toBe(model);
      const printed =
        definition && printType(definition.kind === "alias" ? definition.type : { ...definition, kind: "struct" });
      expect(printed?.replace(/\/\*\*.*?\*\//gs, "").replace(/\s+/g, " ")).toBe(type);
    });

    test.each([
      ["accepts", valid, true],
      ["rejects", invalid, false],
    ] as const)("%s", (_, values, expected) => {
      const verdicts = values.map((value) => ({
        value,
        is: generated.is(name(at), value),
        ajv: judge(name(at), value),
      }));
      expect(verdicts).toEqual(values.map((value) => ({ value, is: expected, ajv: expected })));
      for (const value of values) expect(generated.check(name(at), value).length === 0).toBe(expected);
    });
  },
);

test("predicates, checks and our JSON Schema agree with ajv on random values", () => {
  const make = randomInstances(generated.model);
  const file = JSON.parse(readFileSync(join(generated.folder, "r2/schema.json"), "utf8")) as object;
  const ours = ajvOf(file, "$defs");
  const wrong: string[] = [];
  let accepted = 0;
  const names = [...Object.keys(others), ...constructs.map((_, at) => name(at))];
  for (const type of names) {
    for (let round = 0; round < 60; round++) {
      const random = randomFrom(`${type}/${round}`);
      let value = make(type, random);
      for (let variant = 0; variant < 4; variant++) {
        if (variant > 0) value = damage(value, random);
        const expected = judge(type, value);
        if (expected) accepted++;
        const found = [generated.is(type, value), generated.check(type, value).length === 0, ours(type, value)];
        if (found.some((verdict) => verdict !== expected))
          wrong.push(
            `${type} ${JSON.stringify(value)}: ajv ${expected}, predicate, check, schema.json ${found.join()}`,
          );
      }
    }
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(accepted).toBeGreaterThan(names.length * 40);
});

test("the corpus agrees with ajv", () => {
  const { types } = JSON.parse(readFileSync(join(generated.folder, "r2/corpus.json"), "utf8")) as Corpus;
  const wrong: string[] = [];
  for (const [type, { instances }] of Object.entries(types)) {
    if (!Object.hasOwn(definitions, type)) continue;
    if (instances.length === 0 && !/never|oneOf\(string, string\)/.test(shown(type)))
      wrong.push(`${type} has no instance`);
    for (const instance of instances) if (!judge(type, instance)) wrong.push(`${type} ${JSON.stringify(instance)}`);
  }
  expect(wrong).toEqual([]);
});

function shown(type: string): string {
  const definition = generated.model.definitions.find((found) => found.name === type);
  return definition ? showDefinition(definition) : "";
}

test("the generated code compiles at its strictest", { timeout: 60_000 }, () => {
  expect(typecheck([join(generated.folder, "all.ts"), environment], strictest).errors).toEqual([]);
});

test("our JSON Schema is read back as the same model", () => {
  const file = JSON.parse(
    readFileSync(join(generated.folder, "r2/schema.json"), "utf8").replaceAll("#/$defs/", "#/definitions/"),
  ) as {
    readonly $defs: Readonly<Record<string, unknown>>;
  };
  const model = foreignModel(file.$defs);
  const shapes = (of: typeof model): readonly string[] =>
    of.definitions.map(
      (found) =>
        `${found.name}: ${found.kind === "alias" ? show(found.type) : showDefinition(found).replaceAll(/\w+#/g, "")}`,
    );
  expect(shapes(model)).toEqual(shapes(generated.model).map((line) => line.replaceAll(/\w+#/g, "")));
});
