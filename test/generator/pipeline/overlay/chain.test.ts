import { describe, expect, test } from "vitest";
import { effectiveOverlay, type EffectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import type { OverlayText } from "../../../../generator/shared/sources/overlay-text.js";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { problems } from "../../shared/diagnostics/problems.js";

const spec = "x";

/** Overlay files by revision, oldest first. */
const texts = (files: Record<string, OverlayFile>): OverlayText[] =>
  Object.entries(files).map(([revision, file]) => ({
    revision,
    file: `${revision}/overlay.json`,
    text: JSON.stringify(file),
  }));

const entries = (overlay: EffectiveOverlay): Record<string, [unknown, boolean]> =>
  Object.fromEntries([...overlay.results].map(([key, { value, own }]) => [key, [value.result, own]]));

const files = {
  r1: {
    specification: "https://s/1/",
    results: { A: { result: "A1", spec }, B: { result: "B1", spec }, C: { result: "C1", spec } },
  },
  r2: {
    extends: "r1",
    specification: "https://s/2/",
    results: { B: { result: "B2", spec }, C: null, D: { result: "D2", spec } },
  },
  r3: { extends: "r2", results: { C: { result: "C3", spec } } },
} satisfies Record<string, OverlayFile>;

describe("entries apply along the chain", () => {
  test.each<[revision: string, specification: string, from: string, expected: Record<string, [string, boolean]>]>([
    ["r1", "https://s/1/", "r1", { A: ["A1", true], B: ["B1", true], C: ["C1", true] }],
    ["r2", "https://s/2/", "r2", { A: ["A1", false], B: ["B2", true], D: ["D2", true] }],
    ["r3", "https://s/2/", "r3", { A: ["A1", false], B: ["B2", false], C: ["C3", true], D: ["D2", false] }],
    ["r4", "https://s/2/", "r3", { A: ["A1", false], B: ["B2", false], C: ["C3", false], D: ["D2", false] }],
  ])("%s", (revision, specification, from, expected) => {
    const overlay = effectiveOverlay(revision, texts(files));
    expect(overlay).toMatchObject({ specification, from });
    expect(entries(overlay)).toEqual(expected);
  });

  test("keep their position in the file that states them", () => {
    const [base, top] = texts(files);
    const pretty = [base, top].flatMap((text) =>
      text ? [{ ...text, text: JSON.stringify(JSON.parse(text.text), null, 2) }] : [],
    );
    const { results } = effectiveOverlay("r2", pretty);
    expect(results.get("A")?.span).toEqual({ file: "r1/overlay.json", line: 4, column: 10 });
    expect(results.get("D")?.span).toEqual({ file: "r2/overlay.json", line: 10, column: 10 });
  });
});

describe("the single entries", () => {
  const tag = { member: "a", own: "b", alternatives: {}, spec };
  test.each<[what: string, later: OverlayFile, own: boolean | undefined]>([
    ["apply until they are changed", { extends: "r1" }, false],
    ["are replaced as a whole", { extends: "r1", resultTag: { ...tag, member: "z" } }, true],
    ["are removed by null", { extends: "r1", resultTag: null }, undefined],
  ])("%s", (_, later, own) => {
    const overlay = effectiveOverlay("r2", texts({ r1: { resultTag: tag }, r2: later }));
    expect(overlay.resultTag?.own).toBe(own);
    if (own) expect(overlay.resultTag?.value.member).toBe("z");
  });
});

test("a file without `extends` starts a new chain", () => {
  expect(entries(effectiveOverlay("r2", texts({ ...files, r2: { results: {} } })))).toEqual({});
});

test("without any file, there are no entries", () => {
  const overlay = effectiveOverlay("r1", []);
  expect(overlay).toMatchObject({ from: undefined, specification: "", resultTag: undefined });
  expect(overlay.profile.size).toBe(0);
});

describe("rejects an unknown or cyclic base", () => {
  test.each<[what: string, files: Record<string, OverlayFile>, expected: string]>([
    [
      "unknown",
      { r1: {}, r2: { extends: "r0" } },
      "r2/overlay.json:1:12 overlay-base-unknown: extends r0, which has no overlay or extends this one",
    ],
    [
      "itself",
      { r2: { extends: "r2" } },
      "r2/overlay.json:1:12 overlay-base-unknown: extends r2, which has no overlay or extends this one",
    ],
    [
      "a name of the prototype",
      { r2: { extends: "__proto__" } },
      "r2/overlay.json:1:12 overlay-base-unknown: extends __proto__, which has no overlay or extends this one",
    ],
  ])("%s", (_, broken, expected) => expect(problems(() => effectiveOverlay("r2", texts(broken)))).toEqual([expected]));

  test("a cycle", () => {
    const found = problems(() =>
      effectiveOverlay("r3", texts({ r1: { extends: "r3" }, r2: { extends: "r1" }, r3: { extends: "r2" } })),
    );
    expect(found).toEqual([expect.stringMatching(/^r\d\/overlay\.json:1:12 overlay-base-unknown: extends r\d/)]);
  });

  test("reports an older file of the chain too", () => {
    expect(problems(() => effectiveOverlay("r3", texts({ ...files, r1: { extends: "r0" } })))).toEqual([
      "r1/overlay.json:1:12 overlay-base-unknown: extends r0, which has no overlay or extends this one",
    ]);
  });
});

test("does not read files outside of the chain", () => {
  const broken = { revision: "r9", file: "r9/overlay.json", text: "{" };
  expect(entries(effectiveOverlay("r1", [...texts(files), broken]))).toEqual({
    A: ["A1", true],
    B: ["B1", true],
    C: ["C1", true],
  });
});
