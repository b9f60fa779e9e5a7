import { expect, test } from "vitest";
import { printInspection } from "../../../../generator/commands/inspect/print-inspection.js";
import { escapeControls, escapeLine } from "../../../../generator/shared/command/escape-controls.js";

test.each([
  ["colours", "\u001b[31mred", "\\u001b[31mred"],
  ["titles of windows", "\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
  ["eight-bit controls", "\u009b31m", "\\u009b31m"],
  ["carriage returns", "real\rfake", "real\\u000dfake"],
  ["text turned around", "a\u202eb", "a\\u202eb"],
  ["what is not seen", "a\u200bb\ufeff", "a\\u200bb\\ufeff"],
  ["line breaks stay", "a\nb\r\nc", "a\nb\nc"],
  ["other languages stay", "日本語 é 🎉", "日本語 é 🎉"],
])("%s", (_name, text, expected) => {
  expect(escapeControls(text)).toBe(expected);
});

test("JSON stays the same JSON", () => {
  const value = { a: "\u001b\u009b\u202e\u2028\ufeff\u007f", b: ["\t"] };
  expect(JSON.parse(escapeControls(JSON.stringify(value, null, 2)))).toEqual(value);
});

test("a line is cut", () => {
  expect(escapeLine(`a\n  b ${"x".repeat(300)}`, 10)).toBe("a b xxxxx…");
});

test("nothing of a server reaches the terminal as it is", () => {
  const evil = "\u001b[2J\u009b\u0007\r\u202e";
  const item = { name: evil, title: evil, description: evil, mimeType: evil, uri: evil, uriTemplate: evil };
  const schema = { type: "object", properties: { [evil]: { enum: [evil] }, x: { const: evil }, y: { $ref: evil } } };
  const printed = [
    printInspection({
      target: "x",
      transport: "stdio",
      era: "handshake",
      revision: evil,
      server: { name: evil, version: evil, title: evil },
      instructions: evil,
      capabilities: { [evil]: { [evil]: true } },
      tools: [{ ...item, inputSchema: schema as never, outputSchema: schema }],
      resources: [item],
      resourceTemplates: [item],
      prompts: [{ ...item, arguments: [{ name: evil }] }],
      notes: [],
    }),
    ...[
      { call: "x", content: [{ type: "text", text: evil }, { type: evil }, { type: "resource_link", ...item }] },
      { call: "x", content: [{ type: "image", mimeType: evil, data: evil }], structuredContent: { [evil]: evil } },
      { read: "x", contents: [{ uri: evil, text: evil, mimeType: evil }] },
      { prompt: "x", description: evil, messages: [{ role: evil, content: { type: "text", text: evil } }] },
      { complete: {}, completion: { values: [evil] } },
    ].map((result) =>
      printInspection({
        target: "x",
        transport: "http",
        era: "stateless",
        revision: "x",
        capabilities: {},
        request: result,
        result,
        notes: [],
      }),
    ),
  ];
  // eslint-disable-next-line no-control-regex -- they must not be there
  for (const text of printed) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(printed.join("")).toContain("\\u001b[2J");
});
