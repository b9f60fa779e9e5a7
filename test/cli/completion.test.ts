import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sandbox } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

const revisions = "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28";

/** The words of a command line, the last one being written, and what it may become; nothing stands for files. */
const table: readonly (readonly [words: readonly string[], offered: string])[] = [
  [["ge"], "generate"],
  [["help", "d"], "dev doctor diff"],
  [["diff", ""], revisions],
  [["diff", "2025-11-25", "2025"], "2025-03-26 2025-06-18"],
  [["diff", "--f"], "--format --fail-on"],
  [["diff", "--format", ""], "text markdown json github html"],
  [["diff", "--format", "=", "m"], "markdown"],
  [["diff", "--format", "="], "text markdown json github html"],
  [["diff", "--format=m"], "--format=markdown"],
  [["new", "--start", "http"], "http http-auth"],
  [["new", "--start", "server", "--st"], "--stdio"],
  [
    ["new", "x", "-"],
    "--from-openapi --tag --path --limit --start --list --name --stdio --legacy-sse --skills --yes --dry-run --json --help",
  ],
  [["inspect", "--revision", "2026"], "2026-07-28"],
  [["generate", "--check", "2026"], "2026-07-28"],
  [["generate", "--over", "2026"], "2026-07-28"],
  ...["generate", "vendor", "validate", "bind"].map(
    (verb) =>
      [
        [verb, "--extension", ""],
        "io.modelcontextprotocol/ui io.modelcontextprotocol/skills io.modelcontextprotocol/tasks",
      ] as const,
  ),
  [["vendor", "--extension", "./"], ""],
  [
    ["compare-schema", "io."],
    "io.modelcontextprotocol/ui io.modelcontextprotocol/skills io.modelcontextprotocol/tasks",
  ],
  [["inspect", "--ta"], "--task"],
  [["inspect", "--los"], "--losses"],
  [["inspect", "--losses", "2025-06"], "2025-06-18"],
  [["inspect", "--losses=2025-06"], "--losses=2025-06-18"],
  [["install", "c"], "claude claude-code cursor codex"],
  [["install", "cursor", "--r"], "--remove"],
  [["dev", "src/main.ts", "--"], "--watch --no-types --http --ui --trace --inspect --help"],
  [["doctor", "--"], "--port --json --help"],
  [["outdated", "--"], "--to --draft --registry --json --help"],
  [["completion", ""], "bash zsh fish powershell"],
  [["validate", ""], ""],
  [["generate", "--schema", ""], ""],
  [["inspect", "--", "node", "--h"], ""],
  [["frobnicate", ""], ""],
];

test.each(table)("%j", async (words, offered) => {
  const { code, out, err } = await cli("--complete", ...words);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const lines = out.split("\n").filter((line) => line !== "");
  expect(lines.map((line) => line.split("\t")[0]).join(" ")).toBe(offered);
  for (const line of lines) expect(line).toMatch(/^\S+\t\S/);
});

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["diff\n2025-11-25\n2025", "2025-03-26 2025-06-18"],
  ["diff\n--format\n", "text markdown json github html"],
  ["diff\n--format=m", "--format=markdown"],
  ['install\n"; rm -rf ~\nc', "claude claude-code cursor codex"],
  ["ge", "generate"],
])("the words can be lines of a variable: %j", async (words, offered) => {
  vi.stubEnv("MCPWRIGHT_COMPLETE", words);
  const { code, out } = await cli("--complete");
  expect(code).toBe(0);
  expect([...out.matchAll(/^(.*)\t/gm)].map((match) => match[1]).join(" ")).toBe(offered);
});

test("without words, all verbs are offered", async () => {
  expect(await cli("--complete")).toEqual(await cli("--complete", ""));
});

test("all verbs are offered first", async () => {
  const words = (await cli("--complete", "")).out.split("\n").map((line) => line.split("\t")[0]);
  const listed = [...(await cli("--help")).out.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]);
  expect(words).toEqual([...new Set(listed), "help", ""]);
});

/** A folder with `mcpwright` in it. */
function binFolder(): string {
  const folder = sandbox();
  const path = join(folder, "mcpwright");
  writeFileSync(path, `#!/bin/sh\ncd '${root}' && exec '${process.execPath}' --import tsx generator/cli.ts "$@"\n`);
  chmodSync(path, 0o755);
  return folder;
}

function has(shell: string): boolean {
  return spawnSync(shell, ["--version"]).status === 0;
}

describe("in a shell", { timeout: 120_000 }, () => {
  const env = { ...process.env, PATH: `${binFolder()}:${process.env["PATH"] ?? ""}` };

  test.skipIf(!has("bash"))("bash", () => {
    const script = `
      set -u
      source <(mcpwright completion bash)
      complete -p mcpwright
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mcpwright_complete; echo "\${COMPREPLY[*]-}"; }
      try mcpwright di
      try mcpwright diff --format = m
      try mcpwright model ""
      try mcpwright validate ""
    `;
    const out = execFileSync("bash", ["--norc", "-c", script], { env, encoding: "utf8" });
    expect(out).toBe(
      `complete -o bashdefault -o default -F _mcpwright_complete mcpwright\ndiff\nmarkdown\n${revisions}\n\n`,
    );
  });

  test.skipIf(!has("zsh"))("zsh", () => {
    // A completion runs only in the line editor; this prints the candidates.
    const script = `
      compdef() { echo "compdef $*" }
      _describe() { print -l -- "\${(@P)2}" }
      _files() { echo files }
      source <(mcpwright completion zsh)
      try() { words=("$@"); CURRENT=$#; _mcpwright }
      try mcpwright di
      try mcpwright diff --format=m
      try mcpwright validate ""
    `;
    const out = execFileSync("zsh", ["-f", "-c", script], { env, encoding: "utf8" });
    expect(out.split("\n")).toEqual([
      "compdef _mcpwright mcpwright",
      "diff:Compare two revisions",
      "--format=markdown:format",
      "files",
      "",
    ]);
  });

  test.skipIf(!has("fish"))("fish", () => {
    const folder = sandbox();
    writeFileSync(join(folder, "talk.jsonl"), "");
    // complete -C prints what the shell would offer, with its description.
    const script = `
      mcpwright completion fish | source
      for line in 'mcpwright di' 'mcpwright diff --format=m' 'NAME=1 mcpwright diff --format m' 'mcpwright help "d' \
          'mcpwright install \\';touch executed\\' $(touch executed) c' 'mcpwright validate ta' 'mcpwright validate x'
        echo "> $line"
        complete -C $line
      end
    `;
    const out = execFileSync("fish", ["--no-config", "-c", script], { env, cwd: folder, encoding: "utf8" });
    expect(out.split("\n")).toEqual([
      "> mcpwright di",
      "diff\tCompare two revisions",
      "> mcpwright diff --format=m",
      "--format=markdown\tformat",
      "> NAME=1 mcpwright diff --format m",
      "markdown\tformat",
      '> mcpwright help "d',
      "dev\tRun a server, restart it when you save",
      "diff\tCompare two revisions",
      "doctor\tFind out why something does not work",
      "> mcpwright install ';touch executed' $(touch executed) c",
      ...["claude", "claude-code", "codex", "cursor"].map((host) => `${host}\thost`),
      "> mcpwright validate ta",
      "talk.jsonl",
      "> mcpwright validate x",
      "",
    ]);
    expect(existsSync(join(folder, "executed"))).toBe(false);
  });

  test.skipIf(!has("pwsh"))("PowerShell", () => {
    const script = `
      mcpwright completion powershell | Out-String | Invoke-Expression
      foreach ($line in 'mcpwright di', 'mcpwright diff --format=m', 'mcpwright diff --format m', 'mcpwright model ',
          'mcpwright install "a\`"; b" c') {
        "> $line"
        (TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches.CompletionText
      }
    `;
    const out = execFileSync("pwsh", ["-NoProfile", "-Command", script], { env, encoding: "utf8" });
    expect(out.split(/\r?\n/)).toEqual([
      ...["> mcpwright di", "diff", "> mcpwright diff --format=m", "--format=markdown"],
      ...["> mcpwright diff --format m", "markdown", "> mcpwright model ", ...revisions.split(" ")],
      ...['> mcpwright install "a`"; b" c', "claude", "claude-code", "cursor", "codex", ""],
    ]);
  });
});

test.each([
  ["/usr/bin/zsh", "zsh"],
  ["/usr/bin/fish", "fish"],
  ["/bin/ksh", "bash"],
])("without a shell, it is that of the user: %s", async (path, shell) => {
  vi.stubEnv("SHELL", path);
  const { code, out } = await cli("completion");
  expect(code).toBe(0);
  expect(out).toBe((await cli("completion", shell)).out);
});

test.each(["bash", "zsh", "fish", "ps1"])("the script for %s is published, in ASCII", (end) => {
  const text = readFileSync(join(root, "templates/completion", `mcpwright.${end}`), "utf8");
  // Other characters would depend on the encoding in which a shell appends to a profile.
  expect(text).toMatch(/^[\n -~]+$/);
  expect(text).toMatch(/^#.* mcpwright/);
});
