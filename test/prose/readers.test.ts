import { expect, test } from "vitest";
import { check, printFinding } from "../../scripts/prose/check.js";
import { filesIn, readerOf } from "../../scripts/prose/files.js";

/** The places of the findings in a file of this name, as `line:column words`. */
function placesIn(path: string, ...lines: readonly string[]): readonly string[] {
  const text = lines.join("\n");
  const read = readerOf(path);
  return check(path, text, read?.(text, path) ?? []).map(({ line, column, words }) => `${line}:${column} ${words}`);
}

test("reads paragraphs, lists, headings, tables and links of documents", () => {
  expect(
    placesIn(
      "docs/guide/a.md",
      "# Who calls",
      "",
      "A client",
      "who builds it. It *tells* so, and this is",
      "no URL.",
      "",
      "- who sends it",
      "| a | Who reads |",
      "[nobody](nobody.md)",
    ),
  ).toEqual(["1:3 Who calls", "4:20 tells", "4:40 is no URL", "7:3 who sends", "8:7 Who reads", "9:2 nobody"]);
});

test("does not read code of documents", () => {
  expect(
    placesIn(
      "README.md",
      "`nobody` and ``tell`` and <b title='nobody'>, https://example.test/nobody:",
      "",
      "    tell nobody",
      "",
      "```ts",
      "// told",
      "```",
      "",
      "A list: <!-- nobody -->",
      "",
      "- one",
      "",
      "  ~~~",
      "  nobody",
      "  ~~~",
      "",
      "Told.",
    ),
  ).toEqual(["17:1 Told"]);
});

test("reads both kinds of comments in TypeScript, across line ends", () => {
  expect(
    placesIn(
      "test/support/a.ts",
      "// This is",
      "// no URL.",
      "const a = 1; // told",
      "/**",
      " * It is handed",
      " * over. `nobody`, {@link nobody}",
      " * @param a who gets it",
      " * @example",
      " * tell(nobody)",
      " * @returns nobody",
      " */",
      "const b = `${/* tells */ 1} // told` + /nobody \\/\\/ told/.source;",
      "// eslint-disable-next-line nobody -- told",
    ),
  ).toEqual([
    "1:9 is no URL",
    "3:17 told",
    "5:10 handed",
    "7:13 who gets",
    "10:13 nobody",
    "12:17 tells",
    "13:39 told",
  ]);
});

test("reads strings in TypeScript, and in tests only titles", () => {
  const lines = [
    'import "nobody is told";',
    'const a = "the peer is told";',
    'const b = `is ${`nobody of ${c} knows`} and \\"tells\\" it so`;',
    'const d = "nobody";',
    'test.each(rows)("who calls", () => "the peer is told");',
  ];
  expect(placesIn("generator/a.ts", ...lines)).toEqual([
    "2:24 told",
    "3:18 nobody",
    "3:47 tells",
    "5:18 who calls",
    "5:49 told",
  ]);
  expect(placesIn("test/a.test.ts", ...lines)).toEqual(["5:18 who calls"]);
});

test("reads templates without inserted values, and their comments", () => {
  expect(
    placesIn(
      "templates/a.test.ts.hbs",
      "{{! nobody reads this }}",
      "{{#each rows}}",
      '/** It tells {{name}} all. */ const {{name}} = "it is told to {{nobody}}";',
      'test("who calls and is told", run);',
      "{{/each}}",
    ),
  ).toEqual(["1:5 nobody", "3:8 tells", "3:55 told", "4:7 who calls", "4:24 told"]);
  expect(placesIn("templates/README.md.hbs", "It tells `{{nobody}}`.")).toEqual(["1:4 tells"]);
  expect(placesIn("templates/Dockerfile.hbs", "# It tells all.")).toEqual(["1:6 tells"]);
});

test("reads strings of several words in JSON and shell files", () => {
  const lines = ['{ "nobody is told": "The peer \\"is\\" told.", "b": "told", "c": ["It is no URL."] }'];
  expect(placesIn("schema/docs.json", ...lines)).toEqual(["1:38 told", "1:69 is no URL"]);
  expect(placesIn("schema/2025-11-25/overlay.json", ...lines)).toEqual(["1:38 told", "1:69 is no URL"]);
  expect(placesIn(".ci/run", "# It tells all.", 'title "nobody is told"', "told")).toEqual([
    "1:6 tells",
    "2:8 nobody",
    "2:18 told",
  ]);
});

test("does not read generated files and files that are wrong on purpose", () => {
  const paths = [
    "generated/names.ts",
    "docs/reference/api/index.md",
    "bench/results/http.md",
    "test/cli/fixtures/a.ts",
    "package-lock.json",
    "schema/pins.json",
  ];
  for (const path of paths) expect(readerOf(path), path).toBeUndefined();
});

test("lists the files below a path", () => {
  const root = `${import.meta.dirname}/../..`;
  expect(filesIn(root, ["docs/guide/servers.md", "scripts/prose"])).toEqual(
    expect.arrayContaining(["docs/guide/servers.md", "scripts/prose/main.ts"]),
  );
  expect(filesIn(root, ["scripts/prose"])).not.toContain("scripts/prose/rules.ts");
});

test("prints a finding as a line with its place, rule and advice", () => {
  const [finding] = check("a.md", "A `b` is\nno URL.", [{ start: 0, text: "A 000 is\nno URL." }]);
  expect(finding && printFinding(finding)).toBe('a.md:1:7  is-no  "is no URL" -> negate the verb: "is not a URL"');
});
