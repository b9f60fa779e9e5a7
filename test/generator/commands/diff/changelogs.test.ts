/** Everything that the official changelogs name and a schema can show is found. */
import { describe, expect, test } from "vitest";
import { diffModels } from "../../../../generator/commands/diff/diff-models.js";
import { knownRevisions } from "../../../../generator/shared/sources/schema-folder.js";
import { changelogs } from "./changelogs.js";
import { modelOf } from "./models.js";

test("there is a changelog for every step", () => {
  const known = knownRevisions();
  expect(changelogs.map(({ from, to }) => [from, to])).toEqual(known.slice(1).map((to, index) => [known[index], to]));
});

describe.each(changelogs)("$from to $to", ({ from, to, entries }) => {
  const found = diffModels(modelOf(from), modelOf(to)).map(({ rule, at }) => `${rule} ${at}`);
  const shown = entries.flatMap(({ change, found: wanted }) => (wanted ? [[change, wanted] as const] : []));

  test.each(shown)("%s", (_change, wanted) => {
    expect(wanted.filter((one) => !found.includes(one))).toEqual([]);
  });

  test("every entry is found or has a reason", () => {
    expect(entries.filter((entry) => (entry.found === undefined) === (entry.hiddenBecause === undefined))).toEqual([]);
  });
});
