import { closestName } from "../shared/names/closest.js";
import type { Verb } from "../shared/command/verb.js";
import { describeCommand } from "./describe-command.js";
import { suggestOption, suggestVerb } from "./suggestions.js";

/** The message for an unknown command. */
export function unknownVerb(given: string, verbs: readonly Verb[]): string {
  const names = [...verbs.map(({ name }) => name), "help"];
  return `Unknown command: ${given}.${didYouMean(suggestVerb(given, names))}`;
}

/** Whether `-` can mean standard input. yargs passes it only to positionals with a fixed number of words. */
export function readsInput({ module }: Verb): boolean {
  return describeCommand(module).positionals.some(({ words }) => words !== undefined);
}

export function noInput({ name, module }: Verb): string {
  const isTarget = String(module.command).includes("[target");
  return isTarget
    ? `Put a server command with - after --: mcpwright ${name} -- server -`
    : `${name} does not read standard input; write ./- for a file named -`;
}

/** The words before `--`; those after it belong to another program. */
export function ownArguments(args: readonly string[]): readonly string[] {
  const behind = args.indexOf("--");
  return behind < 0 ? args : args.slice(0, behind);
}

/** Rewrites an error message of yargs. */
export function explainWrongUsage(message: string, args: readonly string[], verb: Verb): string {
  const [first = ""] = message.split("\n");
  const rest = message.slice(first.length).trim();
  const [, kind = first, subject = ""] = /^(.*?): ?(.*)$/s.exec(first) ?? [];
  const usage = `mcpwright ${String(verb.module.command)}`;
  switch (kind) {
    case "Not enough non-option arguments":
      return `An argument is missing: ${usage}`;
    case "Not enough arguments following":
      return `--${subject} requires ${needed(subject, verb)}.`;
    case "Invalid values":
      return rest
        .split("\n")
        .map((line) => invalidValue(line, verb))
        .join("\n");
    case "Unknown argument":
    case "Unknown arguments":
      return unknownArguments(subject.split(", "), args, verb, usage);
    default:
      return message;
  }
}

function needed(name: string, { module }: Verb): string {
  const values = describeCommand(module).options.find((option) => option.name === name)?.words ?? 1;
  return values > 1 ? `${values} values` : "a value";
}

/** `Argument: format, Given: "jsn", Choices: "text", "json"` */
function invalidValue(line: string, { module }: Verb): string {
  const [, name = "", given = "", choices = ""] = /Argument: (.*?), Given: (.*), Choices: (.*)$/.exec(line) ?? [];
  const words = choices.split(", ").map((choice) => choice.replaceAll('"', ""));
  const label = describeCommand(module).positionals.some((positional) => positional.name === name)
    ? `<${name}>`
    : `--${name}`;
  return `${label} must be one of ${words.join(", ")}, not ${given}.${didYouMean(closestName(given.replaceAll('"', ""), words))}`;
}

function unknownArguments(names: readonly string[], args: readonly string[], verb: Verb, usage: string): string {
  const own = ownArguments(args);
  const known = [...describeCommand(verb.module).options.map(({ name }) => name), "help", "version"];
  // yargs lists `--dry-rum` a second time as dryRum.
  const options = own.flatMap((arg) => /^--?([^=]+)/.exec(arg)?.[1] ?? []).filter((name) => names.includes(name));
  const told = [...new Set(options)].map((name) => {
    const suggested = suggestOption(name, known);
    return `Unknown option: ${hyphened(name)}.${didYouMean(suggested === undefined ? undefined : hyphened(suggested))}`;
  });
  const extra = own.slice(1).filter((arg) => !arg.startsWith("-") && names.includes(arg));
  if (told.length === 0) told.push(`Too many arguments, starting at ${extra[0] ?? names.join(", ")}: ${usage}`);
  else if (usage.includes("[target"))
    told.push(`Put a server command with its own options after --: mcpwright ${verb.name} -- node server.js --port 1`);
  return told.join("\n");
}

function hyphened(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? "" : ` Did you mean ${name}?`;
}
