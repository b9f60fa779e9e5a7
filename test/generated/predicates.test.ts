import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, test } from "vitest";
import { instanceMaker, type JsonObject } from "../../generator/pipeline/emit/corpus/instances.js";
import { valueOfEachType, mutate } from "../../generator/pipeline/emit/corpus/mutations.js";
import { published, publishedRevision, readGenerated, type PublishedRevision } from "../support/protocol.js";

type Predicate = (value: unknown) => boolean;

/**
 * How deep values are changed: members of members of items. Deeper values belong to other definitions, which have their
 * own tests.
 */
const wholly = 4;
const shallowly = 1;

const judged = new Map<string, number>();
afterAll(() => {
  const counts = [...judged].map(([revision, count]) => `${revision}: ${count}`);
  process.stdout.write(`values judged by predicate and ajv: ${counts.join(", ")}\n`);
});

describe.each(published)("$revision", ({ revision, entry, model }) => {
  const instances = instanceMaker(model);
  const predicate = predicateOf({ entry });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(readGenerated(`${revision}/schema.json`) as object, "schema");
  const names = model.definitions.map(({ name }) => name);

  test("there is one predicate per definition, and no other predicate", () => {
    const exported = Object.keys(entry).filter((name) => /^is[A-Z]/.test(name));
    expect(exported.sort()).toEqual(names.map((name) => `is${name}`).sort());
  });

  describe.each(names)("is%s", (name) => {
    const accepts = predicate(name);
    const validate = ajv.getSchema(`schema#/$defs/${name}`) as Predicate;

    test("accepts minimal and full instances", () => {
      const made = [instances.minimal(name), ...instances.full(name)];
      expect(made.filter((value) => !accepts(value))).toEqual([]);
      expect(made.filter((value) => !validate(value))).toEqual([]);
    });

    test("agrees with JSON Schema on every change to them", () => {
      const disagreements: string[] = [];
      let count = 0;
      const [whole, ...variants] = instances.full(name);
      const compare = (value: unknown, depth: number): void =>
        mutate(value, depth, (changed, change) => {
          count++;
          const expected = validate(changed);
          if (accepts(changed) !== expected && disagreements.length < 10)
            disagreements.push(`${expected ? "refused" : "accepted"}: ${change} of ${JSON.stringify(value)}`);
        });
      compare(instances.minimal(name), wholly);
      compare(whole, wholly);
      for (const variant of variants) compare(variant, shallowly);
      judged.set(revision, (judged.get(revision) ?? 0) + count);
      expect(disagreements).toEqual([]);
    });
  });

  const structs = model.definitions.filter((definition) => definition.kind === "struct");
  const members = structs.flatMap((definition) => definition.members.map((member) => ({ name: definition.name, member })));

  test("rejects objects without a required member, and accepts them without any optional one", () => {
    const wrong = members.filter(({ name, member }) => {
      const [whole] = instances.full(name);
      const { [member.name]: _, ...rest } = whole as JsonObject;
      return predicate(name)(rest) !== member.optional;
    });
    expect(wrong).toEqual([]);
    expect(members.filter(({ member }) => !member.optional).length).toBeGreaterThan(100);
  });

  test("rejects every value that is not an object", () => {
    const others = Object.values(valueOfEachType).filter((value) => typeof value !== "object" || value === null || Array.isArray(value));
    const accepted = structs.flatMap(({ name }) => others.filter(predicate(name)).map((value) => ({ name, value })));
    expect(accepted).toEqual([]);
    expect(others).toHaveLength(5);
  });

  test("unknown members, even with names that objects inherit, change no verdict and survive", () => {
    const open = structs.filter(({ index }) => !index || index.kind === "unknown");
    for (const { name } of open) {
      const [whole] = instances.full(name);
      const text = `${JSON.stringify(whole).slice(0, -1)}${whole && Object.keys(whole).length > 0 ? "," : ""}${strangers}}`;
      const value: unknown = JSON.parse(text);
      expect([name, predicate(name)(value)]).toEqual([name, true]);
      expect(JSON.stringify(value)).toBe(text);
    }
    expect(open.length).toBeGreaterThan(70);
  });

  test("ignores members of an own `__proto__`", () => {
    const demanding = structs.filter(({ members }) => members.some(({ optional }) => !optional));
    const accepted = demanding.filter(({ name }) => {
      const [whole] = instances.full(name);
      return predicate(name)(JSON.parse(`{"__proto__":${JSON.stringify(whole)}}`));
    });
    expect(accepted).toEqual([]);
  });

  test("accepts objects without a prototype", () => {
    const refused = structs.filter(({ name }) => !predicate(name)(withoutPrototype(instances.full(name)[0])));
    expect(refused).toEqual([]);
  });
});

const strangers = `"__proto__":{"x":1},"constructor":{"prototype":null},"toString":5,"hasOwnProperty":false,"valueOf":null`;

describe("values that JSON cannot represent", () => {
  const { entry } = publishedRevision("2026-07-28");
  const predicate = predicateOf({ entry });
  const isResource = predicate("Resource");
  const isJSONValue = predicate("JSONValue");
  const holey = (): unknown[] => {
    const items: unknown[] = ["a", "b", "c"];
    Reflect.deleteProperty(items, "1");
    return items;
  };
  const discovered = { resultType: "complete", ttlMs: 0, cacheScope: "public", capabilities: {} };
  const tools = { resultType: "complete", ttlMs: 0, cacheScope: "public" };

  test.each<[string, boolean, () => boolean]>([
    ["a hole among strings", false, () => predicate("DiscoverResult")({ ...discovered, supportedVersions: holey() })],
    ["a hole among objects", false, () => predicate("ListToolsResult")({ ...tools, tools: new Array(1) })],
    ["a hole among JSON values", false, () => isJSONValue(holey())],
    ["an array with additional properties", true, () => isJSONValue(Object.assign([1], { further: "x" }))],
    ["an object like an array", false, () => predicate("JSONArray")({ length: 0 })],
    ["undefined as an optional member", true, () => isResource({ name: "a", uri: "a:", title: undefined })],
    ["undefined as a required member", false, () => isResource({ name: "a", uri: undefined })],
    ["undefined as a JSON value", false, () => isJSONValue({ a: undefined })],
    ["a function as a JSON value", false, () => isJSONValue({ a: () => 1 })],
    ["a bigint as a JSON value", false, () => isJSONValue(1n)],
    ["a symbol as a JSON value", false, () => isJSONValue(Symbol("a"))],
    ["a String object as a string", false, () => isResource({ name: new String("a"), uri: "a:" })],
    ["a function as an object", false, () => isResource(Object.assign(() => 1, { uri: "a:" }))],
    ["an object with neither a prototype nor a required member", false, () => isResource({ __proto__: null, uri: "a:" })],
  ])("%s: %s", (_, expected, judge) => {
    expect(judge()).toBe(expected);
  });

  test.each<[string, number, { number: boolean; integer: boolean }]>([
    ["NaN", NaN, { number: false, integer: false }],
    ["Infinity", Infinity, { number: false, integer: false }],
    ["-Infinity", -Infinity, { number: false, integer: false }],
    ["-0", -0, { number: true, integer: true }],
    ["1.0", 1.0, { number: true, integer: true }],
    ["1.5", 1.5, { number: true, integer: false }],
    ["2 ** 53", 2 ** 53, { number: true, integer: true }],
    ["5e-324", 5e-324, { number: true, integer: false }],
    ["1.7976931348623157e308", Number.MAX_VALUE, { number: true, integer: true }],
  ])("judges whether %s is a number or an integer", (_, value, expected) => {
    expect(isResource({ name: "a", uri: "a:", size: value })).toBe(expected.number);
    expect(isJSONValue([value])).toBe(expected.number);
    expect(predicate("RequestId")(value)).toBe(expected.integer);
    expect(predicate("ProgressToken")(value)).toBe(expected.integer);
  });

  test.each<[string, number, boolean]>([
    ["below the minimum", -1, false],
    ["-0 as minimum", -0, true],
    ["the minimum", 0, true],
    ["NaN", NaN, false],
    ["Infinity", Infinity, false],
  ])("a number with a minimum: %s", (_, ttlMs, expected) => {
    expect(predicate("CacheableResult")({ resultType: "complete", cacheScope: "public", ttlMs })).toBe(expected);
  });
});

describe("depth", () => {
  const { entry } = publishedRevision("2026-07-28");
  const predicate = predicateOf({ entry });
  const nestings: readonly [string, (inner: unknown) => unknown][] = [
    ["arrays", (inner) => [inner]],
    ["objects", (inner) => ({ a: inner })],
    ["objects in arrays", (inner) => [{ a: inner }]],
  ];

  test.each(nestings)("rejects 100,000 levels of %s without throwing", (_, wrap) => {
    const deep = nested(100_000, wrap);
    expect(predicate("JSONValue")(deep)).toBe(false);
    expect(predicate("JSONArray")([deep])).toBe(false);
    expect(predicate("JSONObject")({ deep })).toBe(false);
    expect(predicate("ClientCapabilities")({ experimental: { deep: { deep } } })).toBe(false);
  });

  test.each<[number, boolean]>([
    [1, true],
    [512, true],
    [513, false],
  ])("whether %i levels are accepted: %s", (levels, expected) => {
    expect(predicate("JSONValue")(nested(levels, (inner) => [inner]))).toBe(expected);
    expect(predicate("JSONValue")(nested(levels, (inner) => ({ a: inner })))).toBe(expected);
  });

  test("rejects a value that contains itself", () => {
    const circle: JsonObject = {};
    circle["circle"] = circle;
    expect(predicate("JSONObject")(circle)).toBe(false);
  });

  test("does not read a value where any is allowed", () => {
    const deep = nested(100_000, (inner) => [inner]);
    expect(predicate("Error")({ code: 1, message: "", data: deep })).toBe(true);
  });
});

function predicateOf({ entry }: Pick<PublishedRevision, "entry">): (name: string) => Predicate {
  return (name) => entry[`is${name}`] as Predicate;
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = "innermost";
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function withoutPrototype(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototype);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withoutPrototype(inner)]);
  return Object.assign(Object.create(null) as object, Object.fromEntries(members));
}
