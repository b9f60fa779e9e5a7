import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rewriteSources } from "../../../../generator/commands/migrate/rewrite-sources.js";
import { rules } from "../../../../generator/commands/migrate/rules/index.js";

const folder = join(import.meta.dirname, "fixtures");

/** A program and its rewrite: `=== name [file]`, the source, `---`, the result. */
interface Case {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly expected: string;
}

const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));

function casesOf(file: string): readonly Case[] {
  return readFileSync(join(folder, file), "utf8")
    .split(/^=== /m)
    .slice(1)
    .map((text) => {
      const [, name = "", path = "index.ts", body = ""] = /^(.*?)(?: \[(.*)\])?\n([^]*)$/.exec(text) ?? [];
      const [source = "", expected = ""] = body.split(/^---\n/m);
      return { name, file: path, source, expected };
    });
}

function rewrite(path: string, text: string): string {
  return rewriteSources("/project", [{ path, text }]).texts.get(path) ?? "";
}

test("every rule has fixtures", () => {
  expect(files).toEqual([...rules.map(({ id }) => `${id}.txt`), "imports.txt"].sort());
});

describe.each(files)("%s", (file) => {
  const cases = casesOf(file);

  test.each(cases)("$name", ({ file: path, source, expected }) => {
    expect(rewrite(path, source)).toBe(expected);
  });

  test.each(cases)("$name: a second run changes nothing", ({ file: path, expected }) => {
    expect(rewrite(path, expected)).toBe(expected);
  });
});
