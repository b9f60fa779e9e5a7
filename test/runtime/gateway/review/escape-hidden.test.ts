import { expect, test } from "vitest";
import { escapeHidden, escapeJson, quote, sliceWhole } from "../../../../runtime/src/gateway/review/escape-hidden.js";

test.each([
  ["plain text", "a b é 你", "a b é 你"],
  ["line breaks and tabs", "a\nb\tc", "a\\u{a}b\\u{9}c"],
  ["an escape sequence", "\u001b[2J\u009b2J", "\\u{1b}[2J\\u{9b}2J"],
  ["other blanks", "a\u00a0b\u2028c", "a\\u{a0}b\\u{2028}c"],
  ["tags", "\u{e0068}", "\\u{e0068}"],
  ["a lone surrogate", "\ud800", "\\u{d800}"],
  ["a text that looks like an escape", "\\u{200b}", "\\\\u{200b}"],
])("escapes %s", (_, text, escaped) => {
  expect(escapeHidden(text)).toBe(escaped);
});

test("escapes look-alikes on request", () => {
  expect(escapeHidden("pаy", true)).toBe("p\\u{430}y");
});

test("escapes in JSON without a change of the value", () => {
  const value = { "a\u202e": "\u{e0068}\u200b\u009b\u2028\ufeff\ud800 \u00a0 é\n" };
  const json = escapeJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toBe('{\n  "a\\u202e": "\\udb40\\udc68\\u200b\\u009b\\u2028\\ufeff\\ud800 \\u00a0 é\\n"\n}');
});

test("states how much of a quoted text is not shown", () => {
  expect(quote("abcdef", 3)).toBe('"abc" (and 3 more characters)');
  expect(quote("😀😀", 3)).toBe('"😀" (and 2 more characters)');
});

test("does not cut a surrogate pair", () => {
  expect(sliceWhole("a😀b", 0, 2)).toBe("a");
  expect(sliceWhole("a😀b", 2, 4)).toBe("b");
  expect(sliceWhole("\ud83d", 0, 1)).toBe("\ud83d");
  expect(sliceWhole("abc", -5, 2)).toBe("ab");
});
