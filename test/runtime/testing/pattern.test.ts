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
  ["a text by an expression", /^v1\./, "v1.x"],
  ["anything that is there", { a: any() }, { a: null }],
  ["what passes a test", any((value) => value === 5), 5],
  ["what is not there", { a: absent }, { b: 1 }],
  ["what is undefined", { a: absent }, { a: undefined }],
  ["an exact object", exactly({ a: { b: 1 } }), { a: { b: 1 } }],
  ["an exact object with something absent", exactly({ a: 1, b: absent }), { a: 1 }],
  ["a group in another order", unordered({ id: 1 }, { id: 2 }), [{ id: 2 }, { id: 1, more: 1 }]],
  ["a group in which one item fits two patterns", unordered(any(), { id: 1 }), [{ id: 1 }, { id: 2 }]],
  ["the same value twice", [capture("x"), ref("x")], [{ a: 1 }, { a: 1 }]],
  ["a capture that wants something", { id: capture("id", 7) }, { id: 7 }],
];

test.each(fits)("fits %s", (_name, pattern, value) => {
  expect(mismatchOf(pattern, value)).toBeUndefined();
});

const misfits: readonly (readonly [name: string, pattern: unknown, value: unknown, path: string, expected: string])[] =
  [
    ["another value", { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, "message.a.b[1]", "2"],
    ["a number for a text", "1", 1, "message", '"1"'],
    ["a member that is missing", { a: 1 }, {}, "message.a", "1"],
    ["an inherited member", { toString: any() }, {}, "message.toString", "any()"],
    ["no object", { a: 1 }, [1], "message", "an object"],
    ["null for an object", { a: 1 }, null, "message", "an object"],
    ["an array that is longer", [1], [1, 2], "message", "an array of 1"],
    ["no text for an expression", /1/, 1, "message", "/1/"],
    ["undefined for anything", any(), undefined, "message", "any()"],
    ["what should be absent", { "a/b": absent }, { "a/b": null }, 'message["a/b"]', "absent"],
    ["more than exactly that", { x: exactly({ a: {} }) }, { x: { a: { b: 1 } } }, "message.x.a.b", "absent"],
    ["a group that lacks one", unordered(1, 2), [1], "message", "unordered(1, 2)"],
    ["a group in which one comes twice", unordered(1, 2), [1, 1], "message", "unordered(1, 2)"],
    ["another value than the one kept", [capture("x"), ref("x")], [{ a: 1 }, { a: 1, b: 2 }], "message[1].b", "absent"],
  ];

test.each(misfits)("does not fit %s", (_name, pattern, value, path, expected) => {
  expect(mismatchOf(pattern, value)).toMatchObject({ path, expected });
});

test("keeps what it captures, and nothing of a trial that failed", () => {
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

test("a reference to nothing is a mistake of the script", () => {
  expect(() => mismatchOf(ref("x"), 1)).toThrow('nothing was captured as "x"');
});
