import { describe, expect, test } from "vitest";
import {
  initialScopes,
  parseScopes,
  type ScopeSources,
  unionOfScopes,
  withOfflineAccess,
} from "../../../../runtime/src/auth/session/scopes.js";

const none: ScopeSources = { challenged: undefined, supported: undefined, configured: undefined, earlier: undefined };

describe("the scopes of a log-in", () => {
  test.each<[string, Partial<ScopeSources>, readonly string[] | undefined]>([
    ["those of the challenge", { challenged: ["a"], supported: ["a", "b"] }, ["a"]],
    [
      "those of the challenge, although the metadata does not list them",
      { challenged: ["x"], supported: ["a"] },
      ["x"],
    ],
    ["all that the metadata lists", { supported: ["a", "b"] }, ["a", "b"]],
    ["none", {}, undefined],
    ["none, because the metadata lists none", { supported: [] }, undefined],
    ["those of the application besides", { challenged: ["a"], configured: ["b", "a"] }, ["a", "b"]],
    ["those of the application only", { configured: ["b"] }, ["b"]],
    ["those of earlier log-ins besides", { challenged: ["a"], earlier: ["b"] }, ["a", "b"]],
  ])("are %s", (_what, sources, expected) => {
    expect(initialScopes({ ...none, ...sources })).toEqual(expected);
  });

  test.each<[string, readonly string[] | undefined, readonly string[] | undefined, readonly string[] | undefined]>([
    ["is added when the authorization server lists it", ["a"], ["a", "offline_access"], ["a", "offline_access"]],
    ["is not added when it is not listed", ["a"], ["a"], ["a"]],
    ["is not added when nothing is listed", ["a"], undefined, ["a"]],
    ["is not added to no scopes", undefined, ["offline_access"], undefined],
    ["is not repeated", ["offline_access"], ["offline_access"], ["offline_access"]],
  ])("offline_access %s", (_what, scopes, listed, expected) => {
    expect(withOfflineAccess(scopes, listed)).toEqual(expected);
  });

  test.each<[string | undefined, readonly string[] | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["  ", undefined],
    ["a", ["a"]],
    [" a  b a ", ["a", "b"]],
  ])("parses %j", (scope, expected) => {
    expect(parseScopes(scope)).toEqual(expected);
  });

  test("a union has each scope once", () => {
    expect(unionOfScopes(["b", "a"], undefined, ["a", "c"])).toEqual(["b", "a", "c"]);
  });
});
