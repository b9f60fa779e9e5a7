import { expect, it } from "vitest";
import { isValidPrincipal, principalKey } from "../../../runtime/src/http-server/principal-key.js";

it("keeps principals apart whose texts join to the same", () => {
  const keys = [
    { issuer: "a", subject: "bc" },
    { issuer: "ab", subject: "c" },
    { issuer: 'a","b', subject: "c" },
  ].map(principalKey);
  expect(new Set(keys).size).toBe(3);
});

it("identifies equal principals, frozen or not", () => {
  const frozen = Object.freeze({ issuer: "a", subject: "b" });
  const keys = [frozen, frozen, { ...frozen }, Object.freeze({ ...frozen })].map(principalKey);
  expect(new Set(keys).size).toBe(1);
});

it("follows a host that changes its principal", () => {
  const principal = { issuer: "a", subject: "b" };
  const before = principalKey(principal);
  principal.subject = "c";
  expect(principalKey(principal)).not.toBe(before);
});

it.each([
  [{ issuer: "a", subject: "b" }, true],
  [{ issuer: "", subject: "b" }, false],
  [{ issuer: "a", subject: "" }, false],
  [{ issuer: "a", subject: 1 as unknown as string }, false],
  [{ issuer: undefined as unknown as string, subject: "b" }, false],
])("checks %j", (principal, isValid) => expect(isValidPrincipal(principal)).toBe(isValid));
