import { expect, test } from "vitest";
import {
  absent,
  any,
  capture,
  type Captured,
  exactly,
  mismatchOf,
  ref,
  unordered,
} from "../../../runtime/src/testing.js";

const fits: readonly (readonly [name: string, pattern: unknown, value: unknown])[] = [
  ["an object with more members", { a: 1 }, { a: 1, b: 2 }],
  ["null", { a: null }, { a: null }],
  ["an array item by item", [{ a: 1 }, any()], [{ a: 1, b: 2 }, null]],
  ["a string that matches an expression", /^v1\./, "v1.x"],
  ["any present value", { a: any() }, { a: null }],
  ["a value that passes a test", any((value) => value === 5), 5],
  ["a missing member", { a: absent }, { b: 1 }],
  ["an undefined member", { a: absent }, { a: undefined }],
  ["an exact object", exactly({ a: { b: 1 } }), { a: { b: 1 } }],
  ["an exact object with a missing member", exactly({ a: 1, b: absent }), { a: 1 }],
  ["a group in another order", unordered({ id: 1 }, { id: 2 }), [{ id: 2 }, { id: 1, more: 1 }]],
  ["a group in which one item fits two patterns", unordered(any(), { id: 1 }), [{ id: 1 }, { id: 2 }]],
  ["the same value twice", [capture("x"), ref("x")], [{ a: 1 }, { a: 1 }]],
  ["a capture with a pattern", { id: capture("id", 7) }, { id: 7 }],
];

test.each(fits)("matches %s", (_name, pattern, value) => {
  expect(mismatchOf(pattern, value)).toBeUndefined();
});

const misfits: readonly (readonly [name: string, pattern: unknown, value: unknown, path: string, expected: string])[] =
  [
    ["another value", { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, "message.a.b[1]", "2"],
    ["a number for a string", "1", 1, "message", '"1"'],
    ["a missing member", { a: 1 }, {}, "message.a", "1"],
    ["an inherited member", { toString: any() }, {}, "message.toString", "any()"],
    ["an array for an object", { a: 1 }, [1], "message", "an object"],
    ["null for an object", { a: 1 }, null, "message", "an object"],
    ["an array that is longer", [1], [1, 2], "message", "an array of 1"],
    ["a number for an expression", /1/, 1, "message", "/1/"],
    ["undefined for anything", any(), undefined, "message", "any()"],
    ["a member that should be absent", { "a/b": absent }, { "a/b": null }, 'message["a/b"]', "absent"],
    ["extra members of an exact object", { x: exactly({ a: {} }) }, { x: { a: { b: 1 } } }, "message.x.a.b", "absent"],
    ["a group that lacks an item", unordered(1, 2), [1], "message", "unordered(1, 2)"],
    ["a group with an item twice", unordered(1, 2), [1, 1], "message", "unordered(1, 2)"],
    [
      "another value than the captured one",
      [capture("x"), ref("x")],
      [{ a: 1 }, { a: 1, b: 2 }],
      "message[1].b",
      "absent",
    ],
  ];

test.each(misfits)("does not match %s", (_name, pattern, value, path, expected) => {
  expect(mismatchOf(pattern, value)).toMatchObject({ path, expected });
});

test("stores its captures, and none of a failed attempt", () => {
  const captured: Captured = new Map();
  const pattern = unordered({ id: capture("first"), a: 1 }, { id: capture("second") });
  expect(
    mismatchOf(
      pattern,
      [
        { id: 7, a: 2 },
        { id: 8, a: 1 },
      ],
      captured,
    ),
  ).toBeUndefined();
  expect([...captured]).toEqual([
    ["first", 8],
    ["second", 7],
  ]);
  expect(mismatchOf(unordered({ id: capture("third"), a: 1 }, 5), [{ id: 9, a: 1 }, 6], captured)).toBeDefined();
  expect(captured.has("third")).toBe(false);
});

test("an unknown reference is an error in the script", () => {
  expect(() => mismatchOf(ref("x"), 1)).toThrow('nothing was captured as "x"');
});
