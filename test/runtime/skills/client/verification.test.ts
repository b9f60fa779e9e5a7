import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkSkill, defaultSkillLimits } from "../../../../runtime/src/skills/rules/check-skill.js";
import { compareFrontmatter } from "../../../../runtime/src/skills/client/compare-frontmatter.js";
import { readContent } from "../../../../runtime/src/skills/client/read-content.js";
import { SkillVerificationError, type SkillProblem } from "../../../../runtime/src/skills/rules/skill-problem.js";
import { splitSkillFile } from "../../../../runtime/src/skills/rules/split-skill-file.js";

const uri = "skill://acme/pdf/SKILL.md";
const digestOf = (bytes: string | Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const listed = (path: string, text = path) => ({
  uri: `skill://acme/pdf/${path}`,
  digest: digestOf(text),
  size: Buffer.byteLength(text),
});
const entry = (changes: object = {}) => ({
  uri,
  frontmatter: { name: "pdf", description: "Reads PDF files" },
  resources: [listed("SKILL.md"), listed("references/FORMS.md")],
  ...changes,
});

describe("the entry of a skill", () => {
  test.each([
    ["with files", entry()],
    ["with generated content", entry({ resources: "dynamic" })],
    [
      "with 512 files",
      entry({ resources: ["SKILL.md", ...Array.from({ length: 511 }, (_, i) => `${i}`)].map((path) => listed(path)) }),
    ],
    ["with 16 MiB", entry({ resources: [{ ...listed("SKILL.md"), size: 16 * 1024 * 1024 }] })],
    ["with other members", entry({ _meta: {}, "x-more": 1 })],
  ])("%s is valid", (_what, value) => {
    expect(checkSkill(value, defaultSkillLimits)).toEqual([]);
  });

  test.each<[string, unknown, Partial<SkillProblem>]>([
    ["null", null, { reason: "entry", field: "uri" }],
    ["no URI", { ...entry(), uri: 1 }, { reason: "entry", field: "uri", actual: 1 }],
    ["the URI of another file", entry({ uri: "skill://acme/pdf/README.md" }), { reason: "uri", field: "uri" }],
    ["no frontmatter", entry({ frontmatter: [] }), { reason: "entry", field: "frontmatter" }],
    ["no name", entry({ frontmatter: { description: "d" } }), { reason: "name", field: "frontmatter.name" }],
    [
      "upper case in the name",
      entry({ frontmatter: { name: "PDF", description: "d" } }),
      { reason: "name", actual: "PDF" },
    ],
    ["a name of 65 letters", entry({ frontmatter: { name: "a".repeat(65), description: "d" } }), { reason: "name" }],
    [
      "a name that is not that of the directory",
      entry({ frontmatter: { name: "pdfs", description: "d" } }),
      { reason: "name", expected: '"pdf"', actual: "pdfs" },
    ],
    [
      "an empty description",
      entry({ frontmatter: { name: "pdf", description: "" } }),
      { reason: "entry", field: "frontmatter.description" },
    ],
    ["no files", entry({ resources: undefined }), { reason: "entry", field: "resources" }],
    ["an unknown word for its files", entry({ resources: "static" }), { reason: "entry", actual: "static" }],
    ["no SKILL.md among its files", entry({ resources: [listed("a.md")] }), { reason: "entry", field: "resources" }],
    [
      "a file that is null",
      entry({ resources: [listed("SKILL.md"), null] }),
      { reason: "entry", field: "resources[1].uri" },
    ],
    [
      "a file outside of its directory",
      entry({ resources: [listed("SKILL.md"), listed("../other/a.md")] }),
      { reason: "uri", field: "resources[1].uri", uri: "skill://acme/pdf/../other/a.md" },
    ],
    [
      "a file of another scheme",
      entry({ resources: [listed("SKILL.md"), { ...listed("a"), uri: "file:///etc/passwd" }] }),
      { reason: "uri", uri: "file:///etc/passwd" },
    ],
    [
      "a file that is listed twice",
      entry({ resources: [listed("SKILL.md"), listed("Q&A.md"), listed("Q%26A.md")] }),
      { reason: "entry", field: "resources[2].uri" },
    ],
    [
      "a digest in upper case",
      entry({ resources: [{ ...listed("SKILL.md"), digest: digestOf("").toUpperCase() }] }),
      { reason: "entry", field: "resources[0].digest" },
    ],
    [
      "a size that is not a number",
      entry({ resources: [{ ...listed("SKILL.md"), size: "8" }] }),
      { reason: "entry", field: "resources[0].size" },
    ],
    [
      "a negative size",
      entry({ resources: [{ ...listed("SKILL.md"), size: -1 }] }),
      { reason: "entry", field: "resources[0].size" },
    ],
    [
      "513 files",
      entry({ resources: Array.from({ length: 513 }, (_, i) => listed(`${i}`)) }),
      { reason: "limit", expected: 512, actual: 513 },
    ],
    [
      "17 MiB",
      entry({ resources: [listed("SKILL.md"), { ...listed("a"), size: 17 * 1024 * 1024 }] }),
      { reason: "limit", expected: 16 * 1024 * 1024 },
    ],
  ])("with %s is not valid", (_what, value, problem) => {
    expect(checkSkill(value, defaultSkillLimits)).toEqual([expect.objectContaining(problem)]);
  });

  test("has all its problems in one error", () => {
    const problems = checkSkill(entry({ frontmatter: {}, resources: [{}, {}, {}, {}] }), defaultSkillLimits);
    const [first, ...rest] = problems as [SkillProblem, ...SkillProblem[]];
    const error = new SkillVerificationError(uri, [first, ...rest]);
    expect(error).toMatchObject({ code: "INVALID_RESULT", reason: "name", uri, data: { skill: uri, problems } });
    expect(error.message).toMatch(
      /^the skill skill:\/\/acme\/pdf\/SKILL\.md cannot be used: frontmatter\.name .*; and 2 more$/,
    );
  });
});

describe("the bytes of a file", () => {
  const text = "# Forms\n\nFür alle";
  const { uri: file, ...expected } = listed("references/FORMS.md", text);
  const blob = Buffer.from(text).toString("base64");

  test.each([
    ["as text", { uri: file, text }],
    ["as base64", { uri: file, blob }],
  ])("are accepted %s", async (_how, content) => {
    expect(await readContent(content, expected, 0)).toEqual({ bytes: new Uint8Array(Buffer.from(text)) });
  });

  test.each<[string, object, Partial<SkillProblem>]>([
    [
      "other text of the same length",
      { text: text.replace("F", "G") },
      { reason: "digest", expected: expected.digest },
    ],
    ["a byte more", { text: `${text}!` }, { reason: "size", expected: expected.size, actual: expected.size + 1 }],
    [
      "a byte less",
      { blob: Buffer.from(text.slice(1)).toString("base64") },
      { reason: "size", actual: expected.size - 1 },
    ],
    ["much more text", { text: "x".repeat(1_000) }, { reason: "size", actual: 1_000 }],
    ["what is not base64", { blob: blob.replace("A", "*").replace("I", "*") }, { reason: "content" }],
    ["nothing", {}, { reason: "content" }],
  ])("are rejected for %s", async (_what, content, problem) => {
    const read = await readContent({ uri: file, ...content }, expected, 0);
    expect(read).toEqual({ problem: expect.objectContaining({ uri: file, ...problem }) as unknown });
  });

  test("of generated files are bounded", async () => {
    expect(await readContent({ uri: file, text: "12345" }, undefined, 5)).toHaveProperty("bytes");
    const message = `${file} has 6 bytes, more than 5`;
    expect(await readContent({ uri: file, text: "äöü" }, undefined, 5)).toEqual({
      problem: { reason: "limit", uri: file, expected: 5, actual: 6, message },
    });
    expect(await readContent({ uri: file, blob: "MTIzNDU2" }, undefined, 5)).toHaveProperty("problem.actual", 6);
  });
});

describe("the text of a SKILL.md", () => {
  test.each([
    ["LF", "---\nname: pdf\n---\n# PDF\n", { yaml: "name: pdf\n", body: "# PDF\n" }],
    ["CRLF", "---\r\nname: pdf\r\n---\r\n# PDF\r\n", { yaml: "name: pdf\n", body: "# PDF\r\n" }],
    ["a byte order mark", "\uFEFF---\nname: pdf\n---\n", { yaml: "name: pdf\n", body: "" }],
    ["white space after the dashes", "--- \nname: pdf\n---\t\nx", { yaml: "name: pdf\n", body: "x" }],
    ["no line after the frontmatter", "---\nname: pdf\n---", { yaml: "name: pdf\n", body: "" }],
    ["no members", "---\n---\nx", { yaml: "", body: "x" }],
    ["dashes in the body", "---\na: 1\n---\n---\n", { yaml: "a: 1\n", body: "---\n" }],
    ["longer dashes inside", "---\na: |\n  ----\n----\n---\n", { yaml: "a: |\n  ----\n----\n", body: "" }],
  ])("with %s is split", (_what, text, parts) => {
    expect(splitSkillFile(text)).toEqual(parts);
  });

  test.each([
    "# PDF",
    "",
    "---",
    "---\nname: pdf\n",
    "----\nname: pdf\n---\n",
    " ---\nname: pdf\n---\n",
    "\n---\na: 1\n---\n",
  ])("%j has no frontmatter", (text) => {
    expect(splitSkillFile(text)).toBeUndefined();
  });
});

describe("frontmatter", () => {
  const differences = (expected: unknown, yaml: string): readonly [string | undefined, unknown, unknown][] =>
    compareFrontmatter(uri, expected, parse(yaml)).map(({ field, expected, actual }) => [field, expected, actual]);

  test.each<[object, string]>([
    [{ name: "pdf", description: "d" }, "description: d\nname: pdf"],
    [{ a: [1, { b: null }], c: true }, "c: true\na:\n  - 1\n  - b:\n"],
    [{ version: "2.10", count: 2.5 }, 'version: "2.10"\ncount: 2.50'],
    [JSON.parse('{"__proto__":{"a":1}}') as object, "__proto__:\n  a: 1"],
  ])("%j equals its YAML", (expected, yaml) => {
    expect(differences(expected, yaml)).toEqual([]);
  });

  test.each<[string, object, string, readonly unknown[]]>([
    ["another text", { description: "a" }, "description: b", [["description", "a", "b"]]],
    ["another type", { version: "2.1" }, "version: 2.1", [["version", "2.1", 2.1]]],
    ["a missing member", { a: 1, b: 2 }, "a: 1", [["b", 2, undefined]]],
    ["an added member", { a: 1 }, "a: 1\nallowed-tools: Bash", [["allowed-tools", undefined, "Bash"]]],
    ["a nested member", { metadata: { version: "1" } }, 'metadata: { version: "2" }', [["metadata.version", "1", "2"]]],
    [
      "another order",
      { a: [1, 2] },
      "a: [2, 1]",
      [
        ["a[0]", 1, 2],
        ["a[1]", 2, 1],
      ],
    ],
    ["another length", { a: [1] }, "a: [1, 2]", [["a", [1], [1, 2]]]],
    ["a list in place of the mapping", { a: 1 }, "- a", [["", { a: 1 }, ["a"]]]],
    ["an inherited member", {}, "toString: a", [["toString", undefined, "a"]]],
  ])("differs by %s", (_what, expected, yaml, found) => {
    expect(differences(expected, yaml)).toEqual(found);
  });

  test("that contains itself, or dates and maps, differs", () => {
    const loop: Record<string, unknown> = {};
    loop["a"] = loop;
    expect(compareFrontmatter(uri, { a: { a: 1 } }, loop)).toHaveLength(1);
    expect(compareFrontmatter(uri, { a: {} }, { a: new Date(0) })).toHaveLength(1);
    expect(compareFrontmatter(uri, { a: {} }, { a: new Map() })).toHaveLength(1);
  });

  test("with many differences has at most 20 problems", () => {
    expect(compareFrontmatter(uri, Object.fromEntries(Array.from({ length: 99 }, (_, i) => [i, i])), {})).toHaveLength(
      20,
    );
  });
});
