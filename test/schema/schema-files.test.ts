import { check, resolveConfig } from "prettier";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { schemaFolder } from "../../generator/shared/sources/schema-folder.js";
import { revisions, schemaModule, schemaText } from "./folder.js";

const factTag = /^@(deprecated|internal|nullable|(format|TJS-type|minimum|maximum|minItems|maxItems) \S+)$/;

describe.each(revisions)("schema/%s/schema.ts", (revision) => {
  const text = schemaText(revision).replaceAll("\r\n", "\n");
  const { declarations } = schemaModule(revision);

  test("states the revision of its folder", () => {
    expect(declarations).toContainEqual(expect.objectContaining({ name: "LATEST_PROTOCOL_VERSION", value: revision }));
  });

  test("begins with the header that all revisions share", () => {
    const header = `/** Model Context Protocol, revision ${revision}: the published facts in our own layout. \`../docs.json\` contains the texts. */`;
    expect(text.split("\n\n", 1)).toEqual([header]);
  });

  test("has only tags in comments, and no text that would take precedence over docs.json", () => {
    const lines = [...text.slice(text.indexOf("\n\n")).matchAll(/\/\*[^]*?\*\//g)].flatMap(([comment]) =>
      comment.split("\n"),
    );
    const content = lines
      .map((line) => line.replace(/^ *(\/?\*+\/?)?|\*\/$/g, "").trim())
      .filter((line) => line !== "");
    expect(content.filter((line) => !factTag.test(line))).toEqual([]);
    const members = declarations.flatMap((declaration) => ("members" in declaration ? declaration.members : []));
    expect([...declarations, ...members].filter((found) => found.text !== undefined)).toEqual([]);
  });

  test("has only short notes of one line", () => {
    const lines = text.split("\n").map((line) => line.trim());
    const notes = lines.filter((line) => line.startsWith("//"));
    expect(notes.filter((note) => !/^\/\/ \S.{0,76}$/.test(note))).toEqual([]);
    expect(lines.filter((line, at) => line.startsWith("//") && lines[at + 1]?.startsWith("//"))).toEqual([]);
  });

  test("is formatted, 80 characters wide", async () => {
    const path = join(schemaFolder(), revision, "schema.ts");
    const options = await resolveConfig(path);
    expect(options?.printWidth).toBe(80);
    expect(await check(text, { ...options, parser: "typescript" })).toBe(true);
  });
});

const pairs = revisions.flatMap((newer, at) => revisions.slice(0, at).map((older) => [older, newer] as const));

test.each(pairs)("%s and %s have their sections in the same order", (older, newer) => {
  expectSameOrder(sections(older), sections(newer));
});

test.each(pairs)("%s and %s have their declarations in the same order", (older, newer) => {
  const names = (revision: string): readonly string[] => schemaModule(revision).declarations.map(({ name }) => name);
  expectSameOrder(names(older), names(newer));
});

/** A `//` line between two empty lines is the title of a section; other `//` lines are notes. */
function sections(revision: string): readonly string[] {
  return [...schemaText(revision).matchAll(/(?<=\n\n)\/\/ (.+)(?=\n\n)/g)].map(([, title = ""]) => title);
}

function expectSameOrder(a: readonly string[], b: readonly string[]): void {
  const common = a.filter((name) => b.includes(name));
  expect(common).not.toEqual([]);
  expect(b.filter((name) => a.includes(name))).toEqual(common);
}
