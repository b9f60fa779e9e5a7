import { describe, expect, test } from "vitest";
import { JsonLocations } from "../../../../generator/shared/json/json-locations.js";

const text = `{
  "a": { "b": [10, { "c": null }, [true, "x"]] },
  "with \\"quotes\\" and \\\\": "v, { } [ ] :",
  "\\u00e9/~": -1.5e3,
  "": { "": "empty" },
  "__proto__": 1
}`;

const rows: [path: string[], line: number, column: number][] = [
  [[], 1, 1],
  [["a"], 2, 8],
  [["a", "b"], 2, 15],
  [["a", "b", "0"], 2, 16],
  [["a", "b", "1"], 2, 20],
  [["a", "b", "1", "c"], 2, 27],
  [["a", "b", "2"], 2, 35],
  [["a", "b", "2", "0"], 2, 36],
  [["a", "b", "2", "1"], 2, 42],
  [['with "quotes" and \\'], 3, 29],
  [["é/~"], 4, 15],
  [[""], 5, 7],
  [["", ""], 5, 13],
  [["__proto__"], 6, 16],
];

describe.each([
  ["LF", text],
  ["CRLF", text.replaceAll("\n", "\r\n")],
  ["a byte order mark", `\uFEFF${text}`],
])("with %s", (_, source) => {
  test.each(rows)("%j is at %i:%i", (path, line, column) => {
    expect(new JsonLocations(source, "f.json").locate(path)).toEqual({ file: "f.json", line, column });
  });
});

test.each<[what: string, path: string[], line: number, column: number]>([
  ["a missing member: its object", ["a", "z"], 2, 8],
  ["a path through a scalar: the scalar", ["a", "b", "0", "z", "z"], 2, 16],
  ["an index beyond the end: the array", ["a", "b", "3"], 2, 15],
  ["a name of the prototype: the nearest value", ["constructor"], 1, 1],
])("%s", (_, path, line, column) => {
  expect(new JsonLocations(text, "f.json").locate(path)).toEqual({ file: "f.json", line, column });
});

test.each<[what: string, path: string[], line: number, column: number]>([
  ["a member", ["a", "b"], 2, 10],
  ["a member of an object in an array", ["a", "b", "1", "c"], 2, 22],
  ["a name with escapes", ["é/~"], 4, 3],
  ["an item of an array, which has no name", ["a", "b", "1"], 2, 20],
  ["a missing member: its object", ["a", "z"], 2, 8],
  ["the root, which has no name", [], 1, 1],
])("the name of %s", (_, path, line, column) => {
  expect(new JsonLocations(text, "f.json").locateName(path)).toEqual({ file: "f.json", line, column });
});

test("a value after leading white space", () => {
  expect(new JsonLocations("\n\n  5", "f.json").locate([])).toMatchObject({ line: 3, column: 3 });
});

test("lists repeated members with both positions", () => {
  const source = '{ "a": 1,\n  "b": [{ "c": 1, "c": 2 }],\n  "a": 3 }';
  const at = (line: number, column: number): object => ({ file: "f.json", line, column });
  expect(new JsonLocations(source, "f.json").repetitions()).toEqual([
    { pointer: ["b", "0", "c"], first: at(2, 16), second: at(2, 24) },
    { pointer: ["a"], first: at(1, 8), second: at(3, 8) },
  ]);
  expect(new JsonLocations(text, "f.json").repetitions()).toEqual([]);
});
