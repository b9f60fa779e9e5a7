/** The same inputs, described for zod: the verdicts are the same. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { weather } from "./golden.js";

const { checkGetForecastInput, isGetForecastInput } = weather;

const currency = z.string().regex(/^[A-Z]{3}$/u);
const days = z.int().min(1).max(14).optional();
const forecastInput = z.object({
  city: z.string().min(1),
  days,
  unit: z.enum(["celsius", "fahrenheit"]).optional(),
  currency: currency.nullish(),
  prices: z.record(z.string(), currency).optional(),
  level: z.enum(["low", "high"]).optional(),
  place: z
    .union([
      z.strictObject({ kind: z.literal("point"), latitude: z.number().min(-90).max(90), longitude: z.number() }),
      z.object({ kind: z.literal("named"), name: z.string() }),
    ])
    .optional(),
  tags: z.array(z.string()).optional(),
  hours: z
    .array(z.literal([0, 6, 12, 18]))
    .max(3)
    .refine((hours) => new Set(hours).size === hours.length)
    .optional(),
  span: z.tuple([z.string(), z.string().optional()], z.number()).optional(),
  part: z.object({ city: z.string().min(1).optional(), days }).optional(),
  until: z.string().optional(),
  exact: z.boolean().nullish(),
  more: z.unknown().optional(),
});

type Choice = readonly [name: string, good: readonly unknown[], bad: readonly unknown[]];

const point = { kind: "point", latitude: 1, longitude: 2 };
const choices: readonly Choice[] = [
  ["city", ["Oslo", "Rome", "🙂"], [""]],
  ["days", [1, 14, 7, undefined], [15, 0, 1.5]],
  ["unit", ["celsius", "fahrenheit", undefined], ["kelvin", null]],
  ["currency", ["EUR", "NOK", null, undefined], ["eur", "EURO"]],
  ["prices", [{}, { a: "EUR" }, undefined], [{ a: "EURO" }, []]],
  ["level", ["low", "high", undefined], ["middle", 0]],
  [
    "place",
    [point, { kind: "named", name: "x", more: 1 }, undefined],
    [
      { ...point, latitude: 91 },
      { ...point, more: 1 },
    ],
  ],
  ["tags", [[], ["a"], undefined], [["a", 1]]],
  ["hours", [[], [0, 6], [6, 12, 18], undefined], [[6, 6], [0, 6, 12, 18], [1]]],
  ["span", [["a"], ["a", "b"], ["a", "b", 1], undefined], [["a", "b", "c"], []]],
  ["part", [{}, { city: "a" }, { days: 2, x: 1 }, undefined], [{ city: "" }, { days: 20 }]],
  ["until", ["2026-01-01", undefined], [5]],
  ["exact", [true, false, null, undefined], ["true", 0]],
  ["more", [1, {}, undefined], []],
];

/** What fits, but for at most one member. */
const input = fc
  .tuple(
    fc.tuple(...choices.map(([name, good]) => fc.tuple(fc.constant(name), fc.constantFrom(...good)))),
    fc.option(
      fc.oneof(
        ...choices.map(([name, , bad]) =>
          fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...bad, undefined), fc.jsonValue({ maxDepth: 2 }))),
        ),
      ),
    ),
  )
  .map(([entries, other]) => Object.fromEntries([...entries, ...(other ? [other] : [])]));

test("on 5000 inputs", () => {
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(input, (candidate) => {
      const { success } = forecastInput.safeParse(candidate);
      seen[`${success}`]++;
      expect([isGetForecastInput(candidate), checkGetForecastInput(candidate).length === 0]).toEqual([
        success,
        success,
      ]);
    }),
    { numRuns: 5000, seed: 11 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(500);
});

test.each(["[]", "null", "1", '"text"', "{}"])("on %s", (json) => {
  const value: unknown = JSON.parse(json);
  expect(isGetForecastInput(value)).toBe(forecastInput.safeParse(value).success);
});
