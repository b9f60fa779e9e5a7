import { expect, test } from "vitest";
import { wildcard } from "../../../../runtime/src/gateway/composition/wildcard.js";
import { randomFrom } from "../../../support/random-instances.js";

test.for<[string, string, boolean]>([
  ["a", "a", true],
  ["a", "ab", false],
  ["*", "", true],
  ["*", "any\nthing", true],
  ["a*", "a", true],
  ["*a", "ba", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a**a", "aba", true],
  ["*b*", "abc", true],
  ["*b*", "ac", false],
  ["a*b*c", "abc", true],
  ["a*b*c", "acbc", true],
  ["a*b*c", "ac", false],
  ["*ab*ab", "ab", false],
  ["*ab*ab", "abab", true],
])("%s matches %j: %s", ([pattern, name, expected]) => {
  expect(wildcard(pattern)(name)).toBe(expected);
});

test("it matches as the regular expression that backtracks does", () => {
  const random = randomFrom("wildcard");
  const text = (letters: string): string =>
    Array.from({ length: Math.floor(random() * 8) }, () => letters[Math.floor(random() * letters.length)]).join("");
  let matched = 0;
  for (let round = 0; round < 20_000; round++) {
    const pattern = text("ab*");
    const name = text("ab");
    const expected = new RegExp(`^${pattern.replaceAll("*", "[^]*")}$`).test(name);
    expect(wildcard(pattern)(name), `${pattern} and ${name}`).toBe(expected);
    if (expected) matched++;
  }
  expect(matched).toBeGreaterThan(1_000);
});
