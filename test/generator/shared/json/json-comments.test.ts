import { describe, expect, test } from "vitest";
import { blankComments } from "../../../../generator/shared/json/json-comments.js";

describe("becomes JSON with the same positions", () => {
  test.each([
    ["a line comment", '{ // a\n"b": 1 }', '{     \n"b": 1 }'],
    ["a line comment before CRLF", "[1] // a\r\n", "[1]     \r\n"],
    ["a line comment at the end", "1 // a", "1     "],
    ["a block comment over lines", '{ /* "x": [,\n */ "b": 1 }', '{           \n    "b": 1 }'],
    ["a comment between name and value", '{"a"/*,*/:/**/1}', '{"a"     :    1}'],
    ["a comment with a character of two units", "[1, /* 😀 */ 2]", "[1,          2]"],
    ["trailing commas", '{"a":[1,],}', '{"a":[1 ] }'],
    ["a trailing comma before a comment", '{"a":1, // b\n}', '{"a":1      \n}'],
    ["a trailing comma after a comment", '{"a":1 /* b */ , }', '{"a":1           }'],
    ["a slash in a string", '["http://h/ /* x */", "\\"//"]', '["http://h/ /* x */", "\\"//"]'],
    ["a comma in a string", '[",]", ",}"]', '[",]", ",}"]'],
    ["text without either", '{"a": [1, 2]}', '{"a": [1, 2]}'],
    ["a byte order mark", "\uFEFF[1,]", "\uFEFF[1 ]"],
  ])("%s", (_name, text, expected) => {
    expect(blankComments(text)).toBe(expected);
    expect(() => JSON.parse(expected.replace(/^\uFEFF/, "")) as unknown).not.toThrow();
  });
});

test.each([
  ["a comma without a value", "{,}"],
  ["two commas", "[1,,]"],
  ["a comma after a colon", '{"a":,}'],
  ["a comma at the end of the text", "[1],"],
  ["a comment that is not closed", "[1] /* a"],
  ["a string that is not closed", '{"a": "// b\n}'],
  ["a slash", "[1] / 2"],
  ["nothing but a comment", "// a"],
])("stays invalid: %s", (_name, text) => {
  expect(() => JSON.parse(blankComments(text)) as unknown).toThrow(SyntaxError);
});

test("takes time in proportion to the length", () => {
  const started = performance.now();
  blankComments("/* ".repeat(200_000));
  blankComments("[1, /**/ ".repeat(20_000));
  blankComments('"\\'.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
