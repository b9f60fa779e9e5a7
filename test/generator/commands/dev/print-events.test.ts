import { expect, test } from "vitest";
import { colourLines, plainLines, printServerLine } from "../../../../generator/commands/dev/colour-line.js";
import { EventPrinter } from "../../../../generator/commands/dev/print-events.js";
import type { RelayEvent } from "../../../../generator/commands/dev/relay-events.js";

const [red, end, cyan, faint, endFaint] = ["\u001b[31m", "\u001b[39m", "\u001b[36m", "\u001b[2m", "\u001b[22m"];

test.each([
  ["TypeError: x is not a function", `${red}TypeError: x is not a function${end}`],
  ["Error [ERR_X]: text", `${red}Error [ERR_X]: text${end}`],
  ["    at add (file:///home/ada/src/add.ts:3:9)", `    at add (${cyan}src/add.ts:3:9${end})`],
  ["    at file:///home/ada/src/main.ts?tsx-namespace=1:8:1", `    at ${cyan}src/main.ts:8:1${end}`],
  ["    at async /elsewhere/x.js:1:2", `    at async ${cyan}/elsewhere/x.js:1:2${end}`],
  ["    at run (node:internal/x:1:2)", `${faint}    at run (node:internal/x:1:2)${endFaint}`],
  [
    "    at run (/home/ada/node_modules/x/i.js:1:2)",
    `${faint}    at run (/home/ada/node_modules/x/i.js:1:2)${endFaint}`,
  ],
  ["Listening. Errors: none", "Listening. Errors: none"],
  ["\u001b[32mgreen\u001b[39m\u0007", "\u001b[32mgreen\u001b[39m\\u0007"],
])("the line %j in colour", (line, printed) => {
  expect(printServerLine(line, colourLines, "/home/ada")).toBe(printed);
});

test("long lines are printed soon", () => {
  const line = `    at ${"/".repeat(500_000)}(x`;
  expect(printServerLine(line, colourLines, "/home/ada")).toBe(line);
});

test("without colours, those of the server are removed too", () => {
  expect(printServerLine("\u001b[32mgreen\u001b[39m \u001b]0;title\u0007", plainLines, "/home/ada")).toBe(
    "green \\u001b]0;title\\u0007",
  );
  expect(printServerLine("    at add (file:///home/ada/src/add.ts:3:9)", plainLines, "/home/ada")).toBe(
    "    at add (src/add.ts:3:9)",
  );
});

test("what happens to servers is printed", () => {
  const lines: string[] = [];
  const printer = new EventPrinter({
    entry: "src/main.ts",
    cwd: "/home/ada",
    hasColours: false,
    print: (line) => lines.push(line),
  });
  const base = { at: 1, connection: "1", pid: 7 };
  const events: readonly RelayEvent[] = [
    { ...base, kind: "host-connected", name: "stdio" },
    { ...base, kind: "server-started", start: 1 },
    { ...base, kind: "server-ready", start: 1, durationMs: 10 },
    { ...base, kind: "stderr", line: "up" },
    { ...base, kind: "stdout-noise", line: "hello" },
    { ...base, kind: "stdout-noise", line: "again" },
    { ...base, kind: "server-started", start: 2, reason: "src/main.ts changed" },
    { ...base, kind: "server-ready", start: 2, durationMs: 210.4 },
    {
      ...base,
      kind: "server-failed",
      summary: "The server exited with code 1",
      reason: "…: Error\nstack",
      startsAtNextRequest: false,
    },
    { ...base, kind: "stderr", line: "up", connection: "2" },
  ];
  events.forEach(printer.listener);
  printer.showTypes([], 0);
  printer.showTypes(["src/main.ts(1,1): error TS1: x"], 0);
  printer.showTypes([], 1);
  expect(lines).toEqual([
    "up",
    "mcpwright: src/main.ts wrote to standard output: hello",
    "mcpwright: Standard output is for messages only, and the host did not get this: use console.error instead.",
    "mcpwright: src/main.ts wrote to standard output: again",
    "mcpwright: src/main.ts changed; restarting",
    "mcpwright: restarted in 210 ms",
    "mcpwright: The server exited with code 1. Save a file to start it again.",
    "[2] up",
    "src/main.ts(1,1): error TS1: x",
    "mcpwright: The types have errors; the server runs all the same.",
    "mcpwright: The types have no errors any more.",
  ]);
});
