/** The commands in the documents are valid: the verb, its options and their values. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, cli } from "./command-line.js";

const documents = [
  "README.md",
  "README.zh-CN.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  ...["guide", "cli", "reference"].flatMap((part) =>
    readdirSync(join(root, "docs", part))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${part}/${name}`),
  ),
];

/** The words of a line, without quotes; a part of it in brackets is optional, and left out. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
}

const commands = documents.flatMap((document) => {
  const blocks = [...readFileSync(join(root, document), "utf8").matchAll(/^```(?:sh|text)\n(.*?)^```/gms)];
  return blocks
    .flatMap(([, text = ""]) => text.split("\n"))
    .flatMap((line) => {
      const command = /^(?:\$ )?(?:npx (?:-y )?)?mcpwright(?:@latest)? ([^#&|]+)/.exec(line)?.[1];
      return command === undefined ? [] : [[document, command.trim()] as const];
    });
});

test("every verb occurs in the documents", async () => {
  const { out } = await cli("--help");
  const verbs = [...out.matchAll(/^ {2}([\w-]+)/gm)].map(([, verb = ""]) => verb);
  expect(verbs.length).toBeGreaterThan(10);
  expect([...new Set(commands.map(([, command]) => command.split(" ")[0]))]).toEqual(expect.arrayContaining(verbs));
});

test.each(commands)("%s: mcpwright %s", async (_document, command) => {
  const [verb = "", ...rest] = words(command);
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const { out, code } = await cli(verb, "--help");
  expect(code).toBe(0);
  const known = new Set([...out.matchAll(/--([\w-]+)/g)].map(([, name]) => name));
  const options = own.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? []);
  expect(options.filter((name) => !known.has(name))).toEqual([]);
});
