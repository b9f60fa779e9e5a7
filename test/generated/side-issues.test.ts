import type { FindIssues, Predicate, Receives } from "@mcpwright/protocol/contract";
import { findClientIssues } from "@mcpwright/protocol/client-issues";
import type { Issue } from "@mcpwright/protocol/issues";
import { findServerIssues } from "@mcpwright/protocol/server-issues";
import { describe, expect, test } from "vitest";
import { instanceMaker } from "../../generator/pipeline/emit/corpus/instances.js";
import { mutate } from "../../generator/pipeline/emit/corpus/mutations.js";
import { published } from "../support/protocol.js";

type Check = (value: unknown) => Issue[];
type Sides = Readonly<Record<"serverSide" | "clientSide", Parameters<FindIssues>[0]>>;

const finders: readonly ["serverSide" | "clientSide", FindIssues][] = [
  ["serverSide", findServerIssues],
  ["clientSide", findClientIssues],
];

/** Every predicate in the descriptors of a side. */
function predicatesIn(receives: Receives): readonly Predicate[] {
  const found: Predicate[] = [];
  const visit = (members: object): void => {
    for (const member of Object.values(members) as unknown[]) {
      if (typeof member === "function") found.push(member as Predicate);
      else if (typeof member === "object" && member !== null) visit(member);
    }
  };
  visit(receives);
  return found;
}

describe.each(published)("$revision", ({ entry, issues, model }) => {
  const names = new Map(Object.entries(entry).map(([name, exported]) => [exported, name.slice(2)]));
  const instances = instanceMaker(model);

  test.each(finders)("the %s has an issue at the same place as the check of the type", (name, find) => {
    const side = (entry as unknown as Sides)[name];
    const wrong: string[] = [];
    for (const predicate of new Set(predicatesIn(side.receives))) {
      const type = names.get(predicate) ?? "";
      const check = issues[`check${type}`] as Check;
      const places = (found: readonly Issue[]): string => JSON.stringify(found.slice(0, 8).map(({ path, expected }) => [path, expected]));
      const compare = (value: unknown): void => {
        const found = find(side, predicate, value);
        if (places(found) !== places(check(value)) && wrong.length < 10) wrong.push(`${type}: ${JSON.stringify(value).slice(0, 100)}: ${JSON.stringify(found)}`);
      };
      for (const value of [null, 5, [], {}]) compare(value);
      const [whole] = instances.full(type);
      compare(whole);
      let left = 300;
      mutate(JSON.parse(JSON.stringify(whole)), 3, (value) => {
        if (left-- > 0) compare(value);
      });
    }
    expect(wrong).toEqual([]);
  });
});

function predicate(found: Predicate | null | undefined): Predicate {
  if (!found) throw new Error("the side has no such predicate");
  return found;
}

const [newest] = published.toReversed();
const side = (newest?.entry as unknown as Sides).serverSide;
const params = predicate(side.receives.requests["tools/call"]?.params);

test("issues name types, but no values", () => {
  const found = findServerIssues(side, params, { name: 12_345, arguments: ["secret"], _meta: "secret" });
  expect(found.map(({ path, expected, received }) => `${path.join(".")}: ${expected}, got ${received}`)).toEqual([
    "_meta: an object, got a string",
    "name: a string, got a number",
    "arguments: an object, got an array",
  ]);
});

test("there are at most eight issues, and a large value is not searched to its end", () => {
  const result = predicate(side.receives.answers?.["sampling/createMessage"]?.result);
  const answer = (count: number, block: unknown): unknown => ({
    model: "m",
    role: "user",
    content: [...Array.from({ length: count }, () => block), { type: "text" }],
  });
  expect(findServerIssues(side, result, answer(100, { type: "text" }))).toHaveLength(8);
  expect(findServerIssues(side, result, answer(100_000, { type: "text", text: "" }))).toEqual([]);
});

test.each<[string, Parameters<FindIssues>[0], Predicate]>([
  ["an unknown revision", { ...side, revision: "constructor" }, params],
  ["another schema of the same name", { ...side, receives: { ...side.receives, notifications: {} } }, params],
  ["a predicate that is not in the descriptors", side, () => false],
])("%s: nothing is known", (_, given, predicate) => {
  expect(findServerIssues(given, predicate, {})).toEqual([]);
});
