import { describe, expect, it } from "vitest";
import { ScopeHierarchy } from "../../../runtime/src/auth-server/scope-hierarchy.js";

describe("granted scopes", () => {
  const rows: readonly (readonly [
    string,
    Readonly<Record<string, readonly string[]>>,
    readonly string[],
    readonly string[],
  ])[] = [
    ["stay alone without a hierarchy", {}, ["a", "b"], ["a", "b"]],
    ["include others", { a: ["b", "c"] }, ["a"], ["a", "b", "c"]],
    ["include others through others", { a: ["b"], b: ["c"], c: ["d"] }, ["a"], ["a", "b", "c", "d"]],
    ["include no broader ones", { a: ["b"], b: ["c"] }, ["b"], ["b", "c"]],
    ["may include themselves", { a: ["a"] }, ["a"], ["a"]],
    ["may include each other", { a: ["b"], b: ["c"], c: ["a"] }, ["c"], ["a", "b", "c"]],
    ["include what two of them include", { a: ["c"], b: ["c", "d"] }, ["a", "b"], ["a", "b", "c", "d"]],
    ["that no server knows stay", { a: ["b"] }, ["x"], ["x"]],
    [
      "include nothing by the names of inherited members",
      {},
      ["constructor", "__proto__"],
      ["__proto__", "constructor"],
    ],
    ["may have the names of inherited members", { constructor: ["a"] }, ["constructor"], ["a", "constructor"]],
  ];
  it.each(rows)("%s", (_what, includes, granted, expected) => {
    expect([...new ScopeHierarchy(includes).expand(granted)].sort()).toEqual(expected);
  });

  it("may have many levels", () => {
    const levels = 10_000;
    const includes = Object.fromEntries(Array.from({ length: levels }, (_, level) => [`s${level}`, [`s${level + 1}`]]));
    expect(new ScopeHierarchy(includes).expand(["s0"]).size).toBe(levels + 1);
  });
});
