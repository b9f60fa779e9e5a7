/** The parser accepts the command lines of the documents; each verb has a page that explains its options. */
import { describe, expect, test } from "vitest";
import {
  commandLines,
  documents,
  pageOf,
  pageProblems,
  problemOf,
  verbs,
  type CommandLine,
  type Page,
} from "./documented-commands.js";
import { shellCommands } from "./shell-lines.js";

const pages = documents();
const byPath = new Map(pages.map((page) => [page.path, page]));

test("every command line in the documents is accepted by the parser", async () => {
  const lines = pages.flatMap(commandLines);
  expect(lines.length).toBeGreaterThan(250);
  expect(await rejected(lines)).toEqual([]);
});

test("every verb has a page, which begins with its name", () => {
  const missing = verbs.filter((verb) => !byPath.get(pageOf(verb))?.text.startsWith(`# mcpwright ${verb.name}\n`));
  expect(missing.map((verb) => `mcpwright ${verb.name} has no page ${pageOf(verb)} with that title`)).toEqual([]);
});

test("the page of a verb shows how to call it", () => {
  const silent = verbs.filter((verb) => {
    const page = byPath.get(pageOf(verb));
    return !page || !commandLines(page).some(({ words, isInline }) => !isInline && startsWith(words, verb.name));
  });
  expect(silent.map((verb) => `${pageOf(verb)} has no command line of mcpwright ${verb.name}`)).toEqual([]);
});

test("a page explains every option of its verb, and names no other", () => {
  const problems = verbs.flatMap((verb) =>
    [pageOf(verb), pageOf(verb, "docs/zh/cli")].flatMap((path) => {
      const page = byPath.get(path);
      return page ? pageProblems(verb, page) : [];
    }),
  );
  expect(problems).toEqual([]);
});

describe("mistakes are reported with their place", () => {
  const page = (text: string): Page => ({ path: "docs/cli/logout.md", text });

  test.each([
    ["mcpwright logot https://example.com", "docs/cli/logout.md:4 there is no command logot"],
    ["npx mcpwright logout https://example.com --all", "docs/cli/logout.md:4 logout has no option --all"],
    ["$ mcpwright logout", "docs/cli/logout.md:4 An argument is missing: mcpwright logout <url>"],
    ["mcpwright diff a b --format jsn", "docs/cli/logout.md:4 --format must be one of"],
    ["TOKEN=x npx -y mcpwright@latest revisions > list # all", undefined],
    ["curl example.com && (mcpwright revisions 2024 | less)", "docs/cli/logout.md:4 Too many arguments"],
  ])("%s", async (command, told) => {
    const lines = commandLines(page(`# mcpwright logout\n\n\`\`\`sh\n${command}\n\`\`\`\n`));
    expect(lines).toHaveLength(1);
    const problems = await rejected(lines);
    expect(problems).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
  });

  test("the command of a server in a configuration", async () => {
    const entry = `{ "weather": { "command": "npx", "args": ["-y", "mcpwright", "dev", "--hot", "main.ts"] } }`;
    expect(await rejected(commandLines(page(`\`\`\`json\n${entry}\n\`\`\`\n`)))).toEqual([
      "docs/cli/logout.md:2 dev has no option --hot (mcpwright dev --hot main.ts)",
    ]);
  });

  test("options in a page", () => {
    const logout = verbs.filter(({ name }) => name === "logout");
    expect(logout.flatMap((verb) => pageProblems(verb, page("`--jason`\n\n```sh\nmcpwright --json\n```\n")))).toEqual([
      "docs/cli/logout.md does not explain --json of mcpwright logout",
      "docs/cli/logout.md:1 mcpwright logout has no option --jason",
    ]);
  });
});

test("lines of a shell are split into words", () => {
  expect(shellCommands('A=1 B=2 one \'a b\' "c \\"d" e\\ f x#y 2> log < in | two && three # four')).toEqual([
    ["one", "a b", 'c "d', "e f", "x#y"],
    ["two"],
    ["three"],
  ]);
});

/** Pages in two languages have the same command lines: each is parsed once. */
async function rejected(lines: readonly CommandLine[]): Promise<readonly string[]> {
  const known = new Map<string, string | undefined>();
  const problems: string[] = [];
  for (const line of lines) {
    const key = JSON.stringify([line.words, line.isInline]);
    if (!known.has(key)) known.set(key, await problemOf(line));
    const problem = known.get(key);
    if (problem !== undefined)
      problems.push(`${line.path}:${line.line} ${problem} (mcpwright ${line.words.join(" ")})`);
  }
  return problems;
}

function startsWith(words: readonly string[], name: string): boolean {
  return words.join(" ").startsWith(name);
}
