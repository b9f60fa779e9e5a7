import { describe, expect, test } from "vitest";
import { maxIssues, type Issue, type Kept } from "@mcpwright/protocol/issues";
import type { TypeModel } from "../../generator/shared/model/protocol.js";
import { resolveAliases, definitionsByName, type Definitions } from "../../generator/shared/model/definitions.js";
import { instanceMaker } from "../../generator/pipeline/emit/corpus/instances.js";
import { mutate } from "../../generator/pipeline/emit/corpus/mutations.js";
import { published, publishedRevision } from "../support/protocol.js";

type Predicate = (value: unknown) => boolean;
type Check = (value: unknown) => Issue[];
type Path = readonly (string | number)[];

describe.each(published)("$revision", ({ entry, issues, model }) => {
  const instances = instanceMaker(model);
  const definitions = definitionsByName(model.definitions);
  const names = model.definitions.map(({ name }) => name);

  test("there is one check per definition", () => {
    const exported = Object.keys(issues).filter((name) => name.startsWith("check"));
    expect(exported.sort()).toEqual(names.map((name) => `check${name}`).sort());
  });

  test.each(names)("check%s finds issues exactly when the predicate rejects, at the right place", (name) => {
    const is = entry[`is${name}`] as Predicate;
    const check = issues[`check${name}`] as Check;
    const wrong: string[] = [];
    const note = (text: string): void => {
      if (wrong.length < 10) wrong.push(text);
    };
    const [whole, ...variants] = instances.full(name);
    for (const value of [instances.minimal(name), whole, ...variants]) if (check(value).length > 0) note(JSON.stringify(value));
    mutate(JSON.parse(JSON.stringify(whole)), 4, (changed, change, place) => {
      const found = check(changed);
      if (is(changed) !== (found.length === 0)) note(`${change}: ${JSON.stringify(found)}`);
      const [first] = found;
      if (first && !explains(first.path, place, { kind: "reference", name }, definitions)) note(`${change}: reported at ${first.path.join(".")}`);
    });
    expect(wrong).toEqual([]);
  });
});

/**
 * Whether an issue is at the place where the value was changed, or at a union on the way to it: changing a tag, or a
 * member that only one alternative has, is an issue of the union.
 */
function explains(reported: Path, changed: Path, type: TypeModel, definitions: Definitions): boolean {
  if (reported.length >= changed.length) return changed.every((step, index) => reported[index] === step);
  const onTheWay = reported.every((step, index) => changed[index] === step);
  const tagBeside = reported.slice(0, -1).every((step, index) => changed[index] === step);
  return (onTheWay && unionAt(type, reported, definitions)) || (tagBeside && unionAt(type, reported.slice(0, -1), definitions));
}

/** Whether there is a union at a path, or an object that several alternatives could accept. */
function unionAt(type: TypeModel, path: Path, definitions: Definitions): boolean {
  const target = resolveAliases(type, definitions);
  const [step, ...rest] = path;
  if (target.kind === "union") return path.length === 0 || target.members.some((member) => unionAt(member, path, definitions));
  if (step === undefined) return false;
  switch (target.kind) {
    case "array":
      return unionAt(target.items, rest, definitions);
    case "map":
      return unionAt(target.values, rest, definitions);
    case "struct": {
      const member = target.members.find(({ name }) => name === step)?.type ?? target.index;
      return member !== undefined && unionAt(member, rest, definitions);
    }
    default:
      return false;
  }
}

describe("the message of an issue", () => {
  const { issues } = publishedRevision("2026-07-28");
  const check = (name: string, value: unknown): string[] =>
    (issues[`check${name}`] as Check)(value).map(({ path, expected, received }) => `${path.join(".")}: ${expected}, not ${received}`);
  const rows: readonly [string, string, unknown, readonly string[]][] = [
    ["a required member", "Root", {}, ["uri: a string, not nothing"]],
    ["a wrong type", "Root", { uri: 5, name: null }, ["uri: a string, not 5", "name: a string, not null"]],
    ["not an object", "Root", [], [": an object, not an array of 0"]],
    ["a tag", "ContentBlock", { type: "video" }, ['type: one of "text", "image", "audio", "resource_link", "resource", not "video"']],
    ["a member of an alternative", "ContentBlock", { type: "text" }, ["text: a string, not nothing"]],
    ["several alternatives", "RequestId", 1.5, [": an integer, not 1.5"]],
    ["no alternative", "RequestId", null, [": a string or an integer, not null"]],
    ["an enumeration", "Role", "system", [': one of "user", "assistant", not "system"']],
    ["bounds", "Annotations", { priority: 2 }, ["priority: a number, at least 0 and at most 1, not 2"]],
    ["items", "JSONArray", [1, undefined], ["1: a string or a number or a boolean or null or an object or an array, not nothing"]],
    ["too many items", "CompleteResult", { resultType: "complete", completion: { values: Array.from({ length: 101 }, () => "") } }, ["completion.values: at most 100 items, not an array of 101"]],
    ["presence of a member", "EmbeddedResource", { type: "resource", resource: { uri: "a:b", text: 1 } }, ["resource.text: a string, not 1"]],
    ["a long string", "Role", "x".repeat(1000), [`: one of "user", "assistant", not "${"x".repeat(40)}…"`]],
  ];
  test.each(rows)("%s", (_, name, value, expected) => expect(check(name, value)).toEqual(expected));

  test("collects no more than a hundred", () => {
    const blocks = Array.from({ length: 100_000 }, () => ({ type: "text" }));
    expect(check("CallToolResult", { resultType: "complete", content: blocks })).toHaveLength(maxIssues);
  });

  test.each([510, 511, 512, 513, 100_000])("judges %i nested levels as the predicate does", (levels) => {
    const { entry } = publishedRevision("2026-07-28");
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
    const verdict = (issues["checkJSONValue"] as Check)(value).length === 0;
    expect(verdict).toBe((entry["isJSONValue"] as Predicate)(value));
    expect(verdict).toBe(levels <= 512);
  });
});

describe("keepValid", () => {
  test.each(published)("$revision has one function for every list result", ({ issues, model }) => {
    const lists = model.requests.flatMap(({ pages }) => pages ?? []);
    const exported = Object.keys(issues).filter((name) => name.startsWith("keepValid"));
    expect(exported.sort()).toEqual([...new Set(lists.map((name) => `keepValid${name.charAt(0).toUpperCase()}${name.slice(1)}`))].sort());
  });

  const keepValidTools = publishedRevision("2025-11-25").issues["keepValidTools"] as (value: unknown) => Kept<{ tools: unknown[] }>;
  const good = { name: "good", inputSchema: { type: "object" } };
  const bad = { name: "bad", inputSchema: { type: "array" } };

  test("keeps the other tools if one is invalid", () => {
    const { result, invalid, issues } = keepValidTools({ tools: [good, bad, good], nextCursor: "n", "x-extra": 1 });
    expect(result).toEqual({ tools: [good, good], nextCursor: "n", "x-extra": 1 });
    expect(invalid).toEqual([{ index: 1, item: bad, issues: [{ path: ["inputSchema", "type"], expected: '"object"', received: '"array"' }] }]);
    expect(issues).toEqual([]);
  });

  test("returns a valid result itself", () => {
    const value = { tools: [good] };
    expect(keepValidTools(value)).toEqual({ result: value, invalid: [], issues: [] });
    expect(keepValidTools(value).result).toBe(value);
  });

  test.each([null, 5, {}, { tools: {} }, { tools: [good], nextCursor: 5 }])("reports issues of the result itself for %j", (value) => {
    const { result, issues } = keepValidTools(value);
    expect(result).toBeUndefined();
    expect(issues.length).toBeGreaterThan(0);
  });
});
