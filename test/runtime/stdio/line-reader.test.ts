import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLineReader } from "../../../runtime/src/stdio/line-reader.js";
import type { StdioOptions } from "../../../runtime/src/stdio/options.js";

/** The results of a reader for chunks, in order: values, and error codes. */
function readAll(chunks: readonly (Uint8Array | string)[], limits?: StdioOptions): unknown[] {
  const events: unknown[] = [];
  const reader = createLineReader(
    {
      onmessage: (message) => void events.push(message),
      onerror: (error) => void events.push({ code: (error as Error & { code: unknown }).code }),
    },
    limits,
  );
  for (const chunk of chunks) reader.push(chunk);
  const truncated = reader.end();
  if (truncated !== undefined) events.push(truncated.code);
  return events;
}

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
const notJson = { code: -32700 };
const tooLong = { code: -32600 };
const tooDeep = { code: -32600 };

const framing: readonly (readonly [name: string, input: Buffer, expected: readonly unknown[]])[] = [
  ["an empty stream", bytes(""), []],
  ["a message", bytes('{"a":1}\n'), [{ a: 1 }]],
  ["messages", bytes("1\n[2]\n{}\n"), [1, [2], {}]],
  ["CR LF", bytes('{"a":1}\r\n"b"\r\n'), [{ a: 1 }, "b"]],
  ["empty lines", bytes("\n\n1\n\r\n \t\n2\n\n"), [1, 2]],
  ["surrounding white space", bytes("  1 \n"), [1]],
  ["multi-byte characters", bytes('"é€😀"\n'), ["é€😀"]],
  ["line separators within a message", bytes('"\u2028\u2029\u0085"\n'), ["\u2028\u2029\u0085"]],
  ["an escaped line feed", bytes('"\\n"\n'), ["\n"]],
  ["an escaped lone surrogate", bytes('"\\ud83d"\n'), ["\ud83d"]],
  ["a key __proto__", bytes('{"__proto__":1}\n'), [JSON.parse('{"__proto__":1}')]],
  ["a leading byte order mark", bytes("\ufeff1\n2\n"), [1, 2]],
  ["a byte order mark alone", bytes("\ufeff\n2\n\ufeff\n"), [2]],
  ["a byte order mark later", bytes("1\n\ufeff2\n3\n"), [1, notJson, 3]],
  ["a line that is not JSON", bytes("FATAL: x\n1\n"), [notJson, 1]],
  ["half a message per line", bytes('{"a":\n1}\n2\n'), [notJson, notJson, 2]],
  ["two messages per line", bytes("{}{}\n1\n"), [notJson, 1]],
  ["bytes that are not UTF-8", bytes('1\n"', [0xff], '"\n2\n'), [1, notJson, 2]],
  ["an overlong encoding", bytes('"', [0xc0, 0xaf], '"\n2\n'), [notJson, 2]],
  ["an encoded surrogate", bytes('"', [0xed, 0xa0, 0x80], '"\n2\n'), [notJson, 2]],
  ["a character cut off by the line's end", bytes('"', [0xf0, 0x9f], "\n2\n"), [notJson, 2]],
  ["a message without end", bytes("1\n{}"), [1, "INVALID_MESSAGE"]],
  ["white space without end", bytes("1\n \r"), [1]],
  ["a line that is too long", bytes(`"${"x".repeat(50)}"\n1\n`), [tooLong, 1]],
  ["a line that just fits", bytes(`"${"x".repeat(30)}"\n1\n`), ["x".repeat(30), 1]],
  ["a line that fits in characters only", bytes(`"${"é".repeat(16)}"\n1\n`), [tooLong, 1]],
  ["arrays and objects that are too deep", bytes('[1,[[[]],2]]\n[{"a":{"b":{}}}]\n1\n'), [tooDeep, tooDeep, 1]],
  [
    "arrays and objects that are just not too deep",
    bytes('[1,[[],2,[]]]\n[{"a":{"b":0}}]\n'),
    [[1, [[], 2, []]], [{ a: { b: 0 } }]],
  ],
  ["a line that is too long and has no end", bytes("1\n", "x".repeat(50)), [1, tooLong]],
];

const limits = { maxMessageBytes: 32, maxDepth: 3 };

describe.each(framing)("%s", (_name, input, expected) => {
  test("in one chunk", () => expect(readAll([input], limits)).toEqual(expected));

  test("cut in two at every byte", () => {
    for (let cut = 0; cut <= input.length; cut++) {
      expect(readAll([input.subarray(0, cut), input.subarray(cut)], limits)).toEqual(expected);
    }
  });

  test("byte by byte", () =>
    expect(
      readAll(
        [...input].map((byte) => Buffer.of(byte)),
        limits,
      ),
    ).toEqual(expected));
});

test("a stray Uint8Array or string is read like a Buffer", () => {
  expect(readAll([new TextEncoder().encode('"é'), '€"\n'])).toEqual(["é€"]);
});

const cuts = fc.array(fc.nat(), { maxLength: 12 });

function cutUp(input: Buffer, at: readonly number[]): Buffer[] {
  const ends = at.map((cut) => cut % (input.length + 1)).sort((a, b) => a - b);
  return [...ends, input.length].map((end, index) => input.subarray(ends[index - 1] ?? 0, end));
}

test("any JSON, split anywhere, is read as it was written", () => {
  const line = fc.tuple(fc.json({ stringUnit: "binary" }), fc.constantFrom("\n", "\r\n", "\n\n"));
  fc.assert(
    fc.property(fc.array(line), cuts, (lines, at) => {
      const input = Buffer.from(lines.flat().join(""));
      expect(readAll(cutUp(input, at))).toEqual(lines.map(([text]) => JSON.parse(text) as unknown));
    }),
  );
});

test("any bytes, split anywhere, have the same result as in one chunk, and throw nothing", () => {
  const noise = fc.uint8Array({ maxLength: 60 });
  const likely = fc
    .constantFrom('{"a":1}', "\n", "\n", "\r\n", "😀", "\ufeff", '"', "[1]")
    .map((text) => Buffer.from(text));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(noise, likely)),
      cuts,
      fc.integer({ min: 1, max: 40 }),
      (parts, at, maxMessageBytes) => {
        const input = Buffer.concat(parts);
        expect(readAll(cutUp(input, at), { maxMessageBytes })).toEqual(readAll([input], { maxMessageBytes }));
      },
    ),
    { numRuns: 500 },
  );
});

test("an error of a handler is reported, and the next message is read", () => {
  const events: unknown[] = [];
  const reader = createLineReader({
    onmessage(message) {
      if (message === 1) throw new Error("one");
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      if (message === 2) throw "two";
      events.push(message);
    },
    onerror: (error) => void events.push(error),
  });
  reader.push(Buffer.from("1\n2\n3\n"));
  expect(events).toEqual([new Error("one"), new Error("two"), 3]);
});

test("after stop, not even the rest of the chunk is delivered", () => {
  const events: unknown[] = [];
  const reader = createLineReader({
    onmessage(message) {
      events.push(message);
      reader.stop();
    },
  });
  reader.push(Buffer.from("1\n2\n3"));
  reader.push(Buffer.from("\n4\n"));
  expect(events).toEqual([1]);
});

test("a line of 100 MB is rejected once, with little memory, and the next one is read", () => {
  const events: unknown[] = [];
  const reader = createLineReader({
    onmessage: (message) => void events.push(message),
    onerror: (error) => void events.push(error.message),
  });
  const chunk = Buffer.alloc(2 ** 16, "x");
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let fed = 0; fed < 100e6; fed += chunk.length) {
    reader.push(chunk);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  reader.push(Buffer.from("\n1\n"));
  expect(events).toEqual(["The message is longer than 16777216 bytes", 1]);
  // The limit, and the smaller buffers that doubling leaves behind.
  expect(most).toBeLessThan(60e6);
});

test("the copied bytes grow linearly with the length of a line", () => {
  const allocate = vi.spyOn(Buffer, "allocUnsafeSlow");
  onTestFinished(() => allocate.mockRestore());
  const text = Buffer.from(`"${"x".repeat(2 ** 20)}"\n`);
  let length = 0;
  const reader = createLineReader({ onmessage: (message) => (length = (message as string).length) });
  for (let at = 0; at < text.length; at += 4_096) reader.push(text.subarray(at, at + 4_096));
  expect(length).toBe(2 ** 20);
  const allocated = allocate.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
  expect(allocated).toBeGreaterThan(text.length);
  // Quadratic would be 128 times as much.
  expect(allocated).toBeLessThan(8 * text.length);
});

test.each([
  ["arrays", "[", "]"],
  ["objects", '{"a":', "}"],
])("%s nested deeper than the call stack are counted", (_name, open, close) => {
  const line = `${open.repeat(50_000)}0${close.repeat(50_000)}\n`;
  expect(readAll([line], { maxDepth: 49_999 })).toEqual([tooDeep]);
  const read = readAll([line], { maxDepth: 50_000 });
  expect(read).toHaveLength(1);
  expect(read).not.toEqual([tooDeep]);
});

test("a line with too many values is rejected, and the next one is read", () => {
  const read = readAll([`[${"{},".repeat(2 ** 19)}{}]\n`, "1\n"]);
  expect(read).toEqual([{ code: -32600 }, 1]);
  expect(readAll(["[1,2]\n"], { maxValues: 1 })).toHaveLength(1);
  expect(readAll(["[1,2]\n"], { maxValues: 2 })).toEqual([[1, 2]]);
});

const texts = fc.string({ unit: fc.constantFrom('"', "\\", "[", "]", "{", "}", "a", "\u2028") });
const nested = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 8 }, texts, fc.integer(), tie("array"), tie("object")),
  array: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(texts, tie("value"), { maxKeys: 3 }),
})).value;

function levelsOf(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
}

test("only arrays and objects are counted, not brackets in strings", () => {
  fc.assert(
    fc.property(nested, (value) => {
      const levels = levelsOf(value);
      const line = `${JSON.stringify(value)}${" ".repeat(20)}\n`;
      expect(readAll([line], { maxDepth: levels })).toEqual([JSON.parse(line)]);
      if (levels > 0) expect(readAll([line], { maxDepth: levels - 1 })).toEqual([tooDeep]);
    }),
  );
});
