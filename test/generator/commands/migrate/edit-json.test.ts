import { describe, expect, test } from "vitest";
import { removeJsonMember, setJsonMember } from "../../../../generator/commands/migrate/edit-json.js";

describe("sets a member and keeps the rest as it is written", () => {
  test.each([
    ["a value", '{ "a": "1", "b": [1,  2] }\n', ["a"], '{ "a": "x", "b": [1,  2] }\n'],
    ["a value inside", '{\n  "d": {\n    "a": "1"\n  }\n}', ["d", "a"], '{\n  "d": {\n    "a": "x"\n  }\n}'],
    [
      "in order",
      '{\n\t"d": {\n\t\t"a": "1",\n\t\t"c": "2"\n\t}\n}',
      ["d", "b"],
      '{\n\t"d": {\n\t\t"a": "1",\n\t\t"b": "x",\n\t\t"c": "2"\n\t}\n}',
    ],
    ["first", '{\n  "d": {\n    "b": "1"\n  }\n}', ["d", "a"], '{\n  "d": {\n    "a": "x",\n    "b": "1"\n  }\n}'],
    ["at the end, where no order is kept", '{"d":{"c":"1","a":"2"}}', ["d", "b"], '{"d":{"c":"1","a":"2", "b": "x"}}'],
    [
      "new objects",
      '{\n    "a": 1\n}\n',
      ["p", "o", "n"],
      '{\n    "a": 1,\n    "p": {\n        "o": {\n            "n": "x"\n        }\n    }\n}\n',
    ],
    ["into an empty object", '{\n  "a": {}\n}', ["a", "n"], '{\n  "a": {\n    "n": "x"\n  }\n}'],
    ["into an empty file", "{}", ["n"], '{\n  "n": "x"\n}'],
    ["CRLF", '{\r\n  "a": 1\r\n}\r\n', ["n"], '{\r\n  "a": 1,\r\n  "n": "x"\r\n}\r\n'],
    ["a byte order mark", '\uFEFF{\n  "a": 1\n}', ["a"], '\uFEFF{\n  "a": "x"\n}'],
    ["the name of a prototype's member", '{\n  "a": 1\n}', ["constructor"], '{\n  "a": 1,\n  "constructor": "x"\n}'],
  ])("%s", (_name, text, path, expected) => {
    expect(setJsonMember(text, path, "x")).toBe(expected);
  });
});

describe("removes a member with its line", () => {
  test.each([
    ["the first", '{\n  "a": 1,\n  "b": 2\n}', ["a"], '{\n  "b": 2\n}'],
    ["the last", '{\n  "a": 1,\n  "b": 2\n}', ["b"], '{\n  "a": 1\n}'],
    ["the only one, with its object", '{\n  "a": 1,\n  "d": {\n    "b": 2\n  }\n}', ["d", "b"], '{\n  "a": 1\n}'],
    ["none", '{\n  "a": 1\n}', ["d", "b"], '{\n  "a": 1\n}'],
  ])("%s", (_name, text, path, expected) => {
    expect(removeJsonMember(text, path)).toBe(expected);
  });
});
