import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { complaints, load, source, type Validator } from "./load.js";
import { oldRows, ownRows, rows, type Row } from "./rows.js";

/** Values similar to those of the rows: with their names, constants and lengths. */
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1,
      2,
      3,
      -4,
      8,
      1.5,
      2.5,
      "",
      "a",
      "ab",
      "x",
      "y",
      "🙂",
      "constructor",
    ),
    fc.array(tie("any"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "ab", "constructor", "__proto__"), tie("any")), {
        maxLength: 4,
      })
      // `Object.fromEntries` creates `__proto__` as an ordinary member, as JSON.parse does.
      .map((entries) => Object.fromEntries(entries)),
  ),
})).any;

const named = (all: readonly Row[]): readonly { name: string; schema: unknown }[] =>
  all.map(([, schema], index) => ({ name: `Row${index}`, schema }));

describe.each([
  ["2020-12", rows, () => new Ajv2020({ strict: false, ownProperties: true, validateFormats: false, logger: false })],
  ["draft-07", oldRows, () => new Ajv({ strict: false, ownProperties: true, validateFormats: false, logger: false })],
] as const)("%s", (_dialect, table, ajv) => {
  let validators: Readonly<Record<string, Validator>> = {};
  beforeAll(async () => {
    validators = await load(named(table));
  });

  test.each(table.map((row, index) => [row[0], row, index] as const))("%s", (keyword, [, schema, ...values], index) => {
    const other = ajv().compile(schema as object);
    const validator = validators[`Row${index}`];
    if (!validator) throw new Error("no validator");
    const verdicts = new Set<boolean>();
    const agrees = (candidate: unknown): void => {
      // ajv treats members that every object inherits as evaluated.
      if (keyword.startsWith("unevaluated") && /__proto__|constructor/.test(JSON.stringify(candidate))) return;
      const verdict = other(candidate);
      verdicts.add(verdict);
      expect({ candidate, verdict: validator.is(candidate) }).toEqual({ candidate, verdict });
      expect({ candidate, verdict: validator.check(candidate).length === 0 }).toEqual({ candidate, verdict });
    };
    for (const candidate of values) agrees(candidate);
    fc.assert(fc.property(value, agrees), { numRuns: 300, seed: 7 });
    // A row without both verdicts tests little; these schemas have only one.
    const sole =
      /^(true|false|empty|enum with no value of the type|anyOf with true|not true|then without if|contains none|annotations|additionalItems without items)$/;
    expect(verdicts.size).toBe(sole.test(keyword) ? 1 : 2);
  });

  test("the printed module compiles with the strictest options", async () => {
    expect(complaints(await source(named(table)))).toEqual([]);
  });
});

describe("differs from ajv", () => {
  test.each(ownRows)("%s", async (_what, schema, good, bad) => {
    const { Own } = await load([{ name: "Own", schema }]);
    const verdicts = (values: readonly unknown[]): unknown =>
      values.map((one) => [Own?.is(one), Own?.check(one).length === 0]);
    expect(verdicts(good)).toEqual(good.map(() => [true, true]));
    expect(verdicts(bad)).toEqual(bad.map(() => [false, false]));
  });
});
