import { describe, expect, test } from "vitest";
import type { CallToolResult, Prompt, Tool } from "../../../../runtime/src/authoring.js";
import { renderFindings } from "../../../../runtime/src/gateway/review/render-findings.js";
import { reviewPrompt, reviewResult, reviewText, reviewTool } from "../../../../runtime/src/gateway/review/review.js";

const tool = (members: object = {}): Tool => ({ name: "add", inputSchema: { type: "object" }, ...members });
const result = (members: object): CallToolResult => ({ resultType: "complete", content: [], ...members });

describe("a tool", () => {
  test("without findings", () => {
    expect(
      reviewTool(tool({ title: "Add", description: "Adds numbers.", _meta: { "com.example/x": [1, null, true] } })),
    ).toEqual([]);
  });

  test.each([
    ["description", { description: "a\u200bb" }, "/description"],
    ["title", { title: "a\u200bb" }, "/title"],
    ["annotations", { annotations: { title: "a\u200bb" } }, "/annotations/title"],
    ["metadata", { _meta: { "a/b": ["a\u200bb"] } }, "/_meta/a~1b/0"],
    [
      "description of a property",
      { inputSchema: { type: "object", properties: { x: { description: "a\u200bb" } } } },
      "/inputSchema/properties/x/description",
    ],
    [
      "enum",
      { inputSchema: { type: "object", properties: { x: { enum: ["a", "\u200b"] } } } },
      "/inputSchema/properties/x/enum/1",
    ],
    ["default", { outputSchema: { default: { y: "\u200b" } } }, "/outputSchema/default/y"],
  ])("with hidden characters in its %s", (_, members, path) => {
    expect(reviewTool(tool(members))).toMatchObject([{ path, place: "value", kind: "zero-width", codePoint: 0x200b }]);
  });

  test("with hidden characters in the name of a property", () => {
    const found = reviewTool(tool({ inputSchema: { type: "object", properties: { "pa\u200bth": {} } } }));
    expect(found).toMatchObject([{ path: "/inputSchema/properties/pa\u200bth", place: "name", kind: "zero-width" }]);
  });

  test("with confusable names", () => {
    const found = reviewTool(tool({ name: "аdd", inputSchema: { type: "object", properties: { раth: {} } } }));
    expect(found.map(({ path, place, kind, decoded }) => [path, place, kind, decoded])).toEqual([
      ["/name", "value", "mixed-script", "add"],
      ["/inputSchema/properties/раth", "name", "mixed-script", "path"],
    ]);
  });

  test("with words of another alphabet in its description", () => {
    expect(reviewTool(tool({ description: "Сору, then рaste" }))).toEqual([]);
  });

  test("with a comment in its description", () => {
    expect(reviewTool(tool({ description: "a <!-- b -->" }))).toMatchObject([{ kind: "comment", decoded: "b" }]);
  });

  test("with a member __proto__", () => {
    const hostile = JSON.parse('{"name":"add","inputSchema":{"type":"object","__proto__":{"a":"\\u200b"}}}') as Tool;
    expect(reviewTool(hostile)).toMatchObject([{ path: "/inputSchema/__proto__/a" }]);
  });
});

test("names of a prompt's arguments are reviewed", () => {
  const prompt: Prompt = { name: "ask", arguments: [{ name: "tоpic", description: "\u202e" }] };
  expect(reviewPrompt(prompt).map(({ path, kind }) => [path, kind])).toEqual([
    ["/arguments/0/name", "mixed-script"],
    ["/arguments/0/description", "bidirectional"],
  ]);
});

test("instructions are reviewed", () => {
  expect(reviewText("Use `add`.\u2066")).toMatchObject([{ path: "", kind: "bidirectional" }]);
});

describe("a result", () => {
  test("has findings in texts, resources and structured content", () => {
    const content = [
      { type: "text", text: "a\u200bb" },
      { type: "resource", resource: { uri: "a:b", text: "\u202e" } },
    ];
    const found = reviewResult(result({ content, structuredContent: { a: { "b\u2060": "c\u001b[0m" } } }));
    expect(found.map(({ path, place, kind }) => [path, place, kind])).toEqual([
      ["/content/0/text", "value", "zero-width"],
      ["/content/1/resource/text", "value", "bidirectional"],
      ["/structuredContent/a/b\u2060", "name", "zero-width"],
      ["/structuredContent/a/b\u2060", "value", "terminal-escape"],
    ]);
  });

  test("may have comments, padding and names of other alphabets", () => {
    const text = `<!-- a -->${" ".repeat(200)}`;
    expect(reviewResult(result({ content: [{ type: "text", text }], structuredContent: { name: "Аdа" } }))).toEqual([]);
  });

  test("is read without its bytes", () => {
    const content = [
      { type: "image", data: "\u200b", mimeType: "image/png" },
      { type: "resource", resource: { uri: "a:b", blob: "\u200b" } },
    ];
    expect(reviewResult(result({ content }))).toEqual([]);
    expect(reviewResult(result({ content: [{ type: "other", data: "\u200b" }] }))).toHaveLength(1);
  });
});

describe("bounds", () => {
  test("a value that is too deep has a part that was not reviewed", () => {
    let deep: unknown = "\u200b";
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    const [found, ...others] = reviewResult(result({ structuredContent: deep }));
    expect(found).toMatchObject({ kind: "unreviewed" });
    expect(found?.path.length).toBeLessThan(200);
    expect(others).toEqual([]);
  });

  test("a value that refers to itself ends", () => {
    const loop: Record<string, unknown> = {};
    loop["a"] = loop;
    expect(reviewResult(result({ structuredContent: loop }))).toMatchObject([{ kind: "unreviewed" }]);
  });

  test("a value with too many parts has one that was not reviewed", () => {
    const structuredContent = new Array<number>(1_000_001).fill(0);
    expect(reviewResult(result({ structuredContent }))).toMatchObject([{ kind: "unreviewed" }]);
  });

  test("after a hundred findings, the rest is not reviewed", () => {
    const structuredContent = new Array<string>(100_000).fill("\u200b");
    const found = reviewResult(result({ structuredContent }));
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatchObject({ kind: "unreviewed", path: "/structuredContent/99" });
  });

  test("a hundred thousand tools are reviewed", () => {
    const tools = Array.from({ length: 100_000 }, (_, at) =>
      tool({ name: `tool_${at}`, description: "Does something." }),
    );
    expect(tools.flatMap(reviewTool)).toEqual([]);
  });
});

test("findings are described in one line without hidden characters", () => {
  const hostile = tool({
    inputSchema: { type: "object", properties: { "x\u202e\n": {} } },
    description: "Adds\u{e0068}\u{e0069} numbers",
  });
  const loop: unknown[] = [];
  loop.push(loop);
  const findings = [...reviewTool(hostile), ...reviewText("\ud800"), ...reviewResult(result({ a: loop }))];
  expect(renderFindings(findings)).toEqual([
    '/inputSchema/properties/x\\u{202e}\\u{a} (name): characters that change the order of text (U+202E) at 1: "x\\u{202e}\\u{a}"',
    '/description: hidden ASCII text (U+E0068) at 4: "hi", in "Adds\\u{e0068}\\u{e0069} numbers"',
    'the text: characters that are not valid text (U+D800) at 0: "\\u{d800}"',
    expect.stringMatching(
      /: a part that was not reviewed, because the value is too deep, too large, or has too many findings$/,
    ),
  ]);
});
