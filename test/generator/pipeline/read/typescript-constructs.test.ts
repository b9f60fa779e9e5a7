import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Corpus } from "../../../../generator/pipeline/emit/corpus/corpus.js";
import { compare, judgeBy, nameOf, typescriptSchema } from "../../../support/construct-differential.js";
import { foreignSchema, type ForeignSchema } from "../../../support/foreign-schema.js";
import { strictest, typecheck } from "../../../support/typecheck.js";
import { constructs } from "./typescript-constructs.js";

const environment = join(import.meta.dirname, "../../../generated/fixtures/environment.d.ts");
const { text: written, definitions } = typescriptSchema;

let generated: ForeignSchema;
const judge = judgeBy({ definitions }, "definitions");
beforeAll(async () => {
  generated = await foreignSchema(written);
});

describe.each(constructs.map((construct, at) => ({ ...construct, at })))("$what", ({ at, valid, invalid }) => {
  test.each([
    ["accepts", valid, true],
    ["rejects", invalid, false],
  ] as const)("%s", (_, values, expected) => {
    const verdicts = values.map((value) => ({
      value,
      is: generated.is(nameOf(at), value),
      ajv: judge(nameOf(at), value),
    }));
    expect(verdicts).toEqual(values.map((value) => ({ value, is: expected, ajv: expected })));
    for (const value of values) expect(generated.check(nameOf(at), value).length === 0).toBe(expected);
  });
});

test("predicates, checks and our JSON Schema agree with ajv on random values", () => {
  const { accepted, disagreements } = compare(generated, definitions, "test", 100);
  expect(disagreements.slice(0, 20)).toEqual([]);
  expect(accepted).toBeGreaterThan(constructs.length * 100);
});

test("the corpus agrees with ajv", () => {
  const { types } = JSON.parse(readFileSync(join(generated.folder, "r2/corpus.json"), "utf8")) as Corpus;
  const instances = Object.keys(definitions).flatMap((type) =>
    (types[type]?.instances ?? []).map((instance) => ({ type, instance })),
  );
  expect(instances.filter(({ type, instance }) => !judge(type, instance))).toEqual([]);
  expect(new Set(instances.map(({ type }) => type)).size).toBe(constructs.length);
});

test("the generated types are those that were written, for the compiler", { timeout: 60_000 }, () => {
  const pairs = constructs.flatMap(({ differs }, at) => {
    const [there, back] = [`written.${nameOf(at)}`, `types.${nameOf(at)}`];
    const comparison = `export const to${at} = (value: ${there}): ${back} => value;\nexport const from${at} = (value: ${back}): ${there} => value;\n`;
    return differs === undefined ? [comparison] : [];
  });
  writeFileSync(join(generated.folder, "written.ts"), written);
  writeFileSync(
    join(generated.folder, "compare.ts"),
    `import type * as written from "./written.js";\nimport type * as types from "./r2/types.js";\n${pairs.join("")}`,
  );
  const files = ["all.ts", "compare.ts"].map((file) => join(generated.folder, file));
  expect(typecheck([...files, environment], strictest).errors).toEqual([]);
});
