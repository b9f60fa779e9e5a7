import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHeaderValue, encodeHeaderValue } from "../../../runtime/src/http/header-value.js";

const vectors = [
  ["a word", "us-west1", "us-west1"],
  ["an empty string", "", ""],
  ["a space inside", "us west 1", "us west 1"],
  ["other characters", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  ["only other characters", "日本語", "=?base64?5pel5pys6Kqe?="],
  ["surrounding spaces", " padded ", "=?base64?IHBhZGRlZCA=?="],
  ["a space", " ", "=?base64?IA==?="],
  ["a line feed", "line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["a line break", "line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
  ["a tab in front", "\tindented", "=?base64?CWluZGVudGVk?="],
  ["a tab inside", "a\tb", "=?base64?YQli?="],
  ["a control character", "\u007f", "=?base64?fw==?="],
  ["a byte order mark", "\ufeffx", "=?base64?77u/eA==?="],
  ["a value that looks encoded", "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
  ["both ends of a sentinel in one", "=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="],
  ["a URI", "file:///a%20b", "file:///a%20b"],
] as const;

describe("values of header fields", () => {
  it.each(vectors)("are encoded and decoded: %s", (_name, value, text) => {
    expect(encodeHeaderValue(value)).toBe(text);
    expect(decodeHeaderValue(text)).toBe(value);
  });

  it.each([
    ["no sentinel around it", "SGVsbG8=", "SGVsbG8="],
    ["no end of the sentinel", "=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["a sentinel in capitals", "=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
    ["a start that overlaps the end", "=?base64?=", "=?base64?="],
    ["a sentinel around nothing", "=?base64??=", ""],
    ["white space around the field", " \t x y\t", "x y"],
    ["white space around a sentinel", " =?base64?SGVsbG8=?= ", "Hello"],
  ])("are read: %s", (_name, text, value) => {
    expect(decodeHeaderValue(text)).toBe(value);
  });

  it.each([
    ["no padding", "=?base64?SGVsbG8?="],
    ["too much padding", "=?base64?SGVsbG8==?="],
    ["characters outside Base64", "=?base64?SGVs!!!bG8=?="],
    ["the URL-safe alphabet", "=?base64?_-__?="],
    ["a space in the Base64", "=?base64?SGVs bG8=?="],
    ["unused bits that are set", "=?base64?SGVsbG9=?="],
    ["bytes that are not UTF-8", "=?base64?/w==?="],
    ["a surrogate in UTF-8", "=?base64?7aCA?="],
    ["a control character", "a\u0000b"],
    ["a tab inside", "a\tb"],
    ["a Latin-1 character", "caf\u00e9"],
    ["a line break", "a\r\nb"],
    ["a no-break space at the end", "a\u00a0"],
  ])("cannot be read: %s", (_name, text) => {
    expect(decodeHeaderValue(text)).toBeUndefined();
  });

  it("round-trip for any value, in valid fields", () => {
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }).map((text) => new TextDecoder().decode(new TextEncoder().encode(text))),
      fc.string({ unit: fc.constantFrom("=?base64?", "?=", "=", "?", " ", "\t", "\r", "\n", "A") }),
    );
    fc.assert(
      fc.property(value, (text) => {
        const field = encodeHeaderValue(text);
        expect(field).toMatch(/^(?:[!-~]([ -~]*[!-~])?)?$/);
        expect(new Headers({ x: field }).get("x")).toBe(field);
        expect(decodeHeaderValue(field)).toBe(text);
      }),
    );
  });

  it("have one encoding each: text that decodes is the encoding of its value, or plain", () => {
    const sentinel = fc.base64String().map((text) => `=?base64?${text}?=`);
    fc.assert(
      fc.property(fc.oneof(sentinel, fc.string()), (text) => {
        const value = decodeHeaderValue(text);
        if (value === undefined || !text.startsWith("=?base64?") || !text.endsWith("?=")) return;
        const binary = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join("");
        expect(text).toBe(`=?base64?${btoa(binary)}?=`);
      }),
    );
  });

  it("of many characters take little time", () => {
    const value = "ü".repeat(100_000);
    expect(decodeHeaderValue(encodeHeaderValue(value))).toBe(value);
    expect(decodeHeaderValue(" ".repeat(100_000) + "x" + " ".repeat(100_000))).toBe("x");
  });
});
