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

/** Rewrites all programs in one run, each in a folder of its own. */
function rewriteAll(programs: readonly { readonly file: string; readonly text: string }[]): readonly string[] {
  const sources = programs.map(({ file, text }, index) => ({ path: `${index}/${file}`, text }));
  const { texts } = rewriteSources("/project", sources);
  return sources.map(({ path }) => texts.get(path) ?? "");
}

const all = files.flatMap((rule) => casesOf(rule).map((one) => ({ rule, ...one })));
const results = rewriteAll(all.map(({ file, source: text }) => ({ file, text })));
const again = rewriteAll(all.map(({ file, expected: text }) => ({ file, text })));

test("every rule has fixtures", () => {
  expect(files).toEqual([...rules.map(({ id }) => `${id}.txt`), "imports.txt"].sort());
});

describe.each(all.map((one, index) => ({ ...one, index })))("$rule: $name", ({ index, expected }) => {
  test("is rewritten", () => {
    expect(results[index]).toBe(expected);
  });

  test("a second run changes nothing", () => {
    expect(again[index]).toBe(expected);
  });
});
