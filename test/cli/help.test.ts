import { describe, expect, test } from "vitest";
import { hasColours } from "../../generator/shared/command/colours.js";
import { run } from "../../generator/cli/run.js";
import { cli, cliOn } from "./command-line.js";

const verbs = [
  "new",
  "update",
  "migrate",
  "compile",
  "inspect",
  "bind",
  "install",
  "bundle",
  "manifest",
  "dev",
  "gateway",
  "gateway lock",
  "validate",
  "doctor",
  "login",
  "logout",
  "revisions",
  "explain",
  "diff",
  "generate",
  "vendor",
  "outdated",
  "model",
  "compare-schema",
  "completion",
];

describe("the list of commands", () => {
  test("--help, -h and help print it, in groups", async () => {
    const { code, out, err } = await cli("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect([...out.matchAll(/^ {2}([a-z-]+(?: [a-z]+)*)/gm)].map((match) => match[1])).toEqual(verbs);
    expect(out).toContain("\nProjects:\n  new [dir] ");
    for (const args of [["-h"], ["help"], ["help", "help"]]) expect(await cli(...args)).toEqual({ code, out, err });
  });

  test("a missing command is wrong usage and prints the list as well", async () => {
    const { out } = await cli("--help");
    expect(await cli()).toEqual({ code: 2, out: "", err: out });
  });

  test("it fits into 80 columns, except for the line of exit codes", async () => {
    const lines = (await cli("--help")).out.split("\n").filter((line) => !line.startsWith("Exit codes"));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe.each(verbs)("help %s", (verb) => {
  test("prints the usage, examples and exit codes", async () => {
    const { code, out, err } = await cli("help", ...verb.split(" "));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(new RegExp(`^mcpwright ${verb}\\b.*\n\n[A-Z][^\n]+`));
    expect(out).toMatch(/\nExamples:\n( {2}# [A-Zbz].*\n {2}\S.*\n)+/);
    expect(out).toMatch(
      /\nExit codes:\n {2}0 {2}success\n( {2}1 {2}.* or invalid input\n)? {2}2 {2}wrong usage\n {2}3 /,
    );
    for (const flag of ["--help", "-h"]) expect(await cli(...verb.split(" "), flag)).toEqual({ code, out, err });
  });

  test.each([60, 80, 100])("fits into %i columns, except for examples and tables", async (columns) => {
    let out = "";
    await run(["help", ...verb.split(" ")], { columns, write: (text) => (out += text) }, { write: () => undefined });
    const [prose = ""] = out.split("\nExamples:\n");
    for (const line of prose.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("every option and argument is described", async () => {
    const { out } = await cli("help", ...verb.split(" "));
    const listed = (/\n(Arguments|Options):\n[\s\S]*?\n\nExamples:/.exec(out)?.[0] ?? "").split("\n");
    expect(listed.filter((line) => /^ {2}\S+$/.test(line))).toEqual([]);
  });
});

test("the words after -- are not options of mcpwright", async () => {
  const { code, err } = await cli("inspect", "--", "no-such-program-1", "--help");
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("cannot start no-such-program-1") as string });
});

describe("wrong usage is reported with a suggestion", () => {
  test.each([
    ["dif", "Unknown command: dif. Did you mean diff?"],
    ["valdate x", "Unknown command: valdate. Did you mean validate?"],
    ["init", "Unknown command: init. Did you mean new?"],
    ["create x", "Unknown command: create. Did you mean new?"],
    ["check", "Unknown command: check. Did you mean generate --check?"],
    ["call x", "Unknown command: call. Did you mean inspect --call?"],
    ["help dif", "Unknown command: dif. Did you mean diff?"],
    ["frobnicate", "Unknown command: frobnicate."],
    ["constructor", "Unknown command: constructor."],
    ["generate --ouput x", "Unknown option: --ouput. Did you mean --out?"],
    ["generate --dry-rum", "Unknown option: --dry-rum. Did you mean --dry-run?"],
    [
      "generate --chek --jsn",
      "Unknown option: --chek. Did you mean --check?\nUnknown option: --jsn. Did you mean --json?",
    ],
    ["new x -k", "Unknown option: -k."],
    [
      "diff a b --format jsn",
      '--format must be one of text, markdown, json, github, html, not "jsn". Did you mean json?',
    ],
    ["completion tcsh", '<shell> must be one of bash, zsh, fish, powershell, not "tcsh".'],
    ["--json", "A command is required."],
    ["generate -", "generate does not read standard input; write ./- for a file named -"],
    ["inspect server -", "Put a server command with - after --: mcpwright inspect -- server -"],
    ["--json dif", "Unknown command: dif. Did you mean diff?"],
  ])("mcpwright %s", async (line, told) => {
    const { code, out, err } = await cli(...line.split(" "));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(new RegExp(`^${told.replace(/[.?-]/g, "\\$&")}\nSee mcpwright (\\w+ )?--help\\.\n$`));
  });
});

describe("colours", () => {
  test.each([
    ["a terminal", true, {}, true],
    ["a pipe", false, {}, false],
    ["NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR", true, { NO_COLOR: "" }, true],
    ["a dumb terminal", true, { TERM: "dumb" }, false],
    ["FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
    ["an empty FORCE_COLOR", false, { FORCE_COLOR: "" }, true],
    ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
    ["both", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  ])("%s", (_name, isTTY, env, expected) => {
    expect(hasColours({ isTTY, write: () => undefined }, env)).toBe(expected);
  });

  test("never in JSON", async () => {
    const before = process.env["FORCE_COLOR"];
    process.env["FORCE_COLOR"] = "1";
    try {
      expect((await cliOn({ isTTY: true }, "diff", "2024-11-05", "2025-03-26")).out).toContain("\u001b[");
      const json = await cliOn({ isTTY: true }, "diff", "2024-11-05", "2025-03-26", "--format", "json");
      expect(json.out).not.toContain("\u001b");
    } finally {
      if (before === undefined) delete process.env["FORCE_COLOR"];
      else process.env["FORCE_COLOR"] = before;
    }
  });
});
