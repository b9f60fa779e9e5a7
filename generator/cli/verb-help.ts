import { describeCommand, type OptionDescription } from "./describe-command.js";
import type { Verb } from "../shared/command/verb.js";

/** Placeholders for the values of options. */
const placeholders: Readonly<Record<string, string>> = {
  answer: "<json>",
  arg: "<key=value>",
  args: "<json>",
  "auth-host": "<host>",
  call: "<tool>",
  "client-id": "<id>",
  "client-secret-file": "<file>",
  complete: "<prompt:name|template> <argument=value>",
  cwd: "<folder>",
  env: "<NAME=value>",
  "fail-on": "<list>",
  from: "<path|url>",
  header: "<'Name: value'>",
  ignore: "<file>",
  name: "<name>",
  out: "<path>",
  prompt: "<name>",
  read: "<uri>",
  revision: "<revision>",
  schema: "<path|url>",
  scope: "<scope>",
  server: "<name>",
  timeout: "<seconds>",
  to: "<folder>",
  token: "<token|@file>",
  trace: "<file>",
  watch: "<uri>",
};

type Row = readonly [left: string, right: string];

/** The output of `mcpwright <verb> --help`. */
export function verbHelp({ module, findings, furtherCodes }: Verb, width: number): string {
  const { positionals, options, examples, epilogue } = describeCommand(module);
  const flags = options.map((option): Row => [flagOf(option), textOf(option)]);
  const sections = [
    `mcpwright ${String(module.command)}${options.length === 0 ? "" : " [options]"}`,
    wrap(`${String(module.describe)}.`, width).join("\n"),
    table(
      "Arguments:",
      positionals.map((positional) => [positional.name, textOf(positional)]),
      width,
    ),
    table("Options:", flags, width),
    examples.length === 0 ? "" : ["Examples:", ...examples.map(exampleOf)].join("\n"),
    epilogue ?? "",
    exitCodes(findings, furtherCodes),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function flagOf({ name, aliases, isFlag, words, choices }: OptionDescription): string {
  const names = [...aliases, name].map((one) => (one.length === 1 ? `-${one}` : `--${one}`)).join(", ");
  if (isFlag) return names;
  const value = choices.length > 0 ? `<${name === "only" ? "output.." : name}>` : (placeholders[name] ?? "<value>");
  return `${names} ${words === undefined ? `[${value.slice(1, -1)}]` : value}`;
}

function textOf({ describe, choices, byDefault }: OptionDescription): string {
  const text = choices.length === 0 ? describe : `${describe}: ${choices.join(", ")}`;
  return typeof byDefault === "string" ? `${text} (default ${byDefault})` : text;
}

function exampleOf([command, meaning]: Row): string {
  return `${meaning === "" ? "" : `  # ${meaning}\n`}  ${command}`;
}

function exitCodes(findings: string | undefined, further: readonly string[]): string {
  const one = findings === undefined ? "" : `  1  ${findings}\n`;
  return `Exit codes:\n  0  success\n${one}  2  wrong usage\n  3  internal error (a bug)${further.map((line) => `\n  ${line}`).join("")}`;
}

/** A long left part is printed on its own line. */
function table(title: string, rows: readonly Row[], width: number): string {
  if (rows.length === 0) return "";
  const left = Math.min(24, Math.max(...rows.map(([word]) => word.length)));
  const indent = " ".repeat(left + 4);
  const lines = rows.flatMap(([word, text]) => {
    const [first = "", ...more] = wrap(text, width - left - 4);
    const head = word.length > left ? [`  ${word}`, `${indent}${first}`] : [`  ${word.padEnd(left)}  ${first}`];
    return [...head, ...more.map((line) => `${indent}${line}`)];
  });
  return [title, ...lines].join("\n");
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
