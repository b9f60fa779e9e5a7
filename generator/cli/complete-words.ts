import { knownRevisions } from "../shared/sources/schema-folder.js";
import type { Verb } from "../shared/command/verb.js";
import { describeCommand, type OptionDescription } from "./describe-command.js";

/** A word that may stand in the place of the last one, and what it means. */
export interface Completion {
  readonly word: string;
  readonly describe: string;
}

/** Positionals that name a revision, where they may also name a file. */
const revisionPositionals: ReadonlySet<string> = new Set(["revision", "revisions", "before", "after", "schema"]);

/**
 * What may follow on a command line, by its words without the program; the last one is being written, perhaps empty.
 * Nothing where only the shell knows: it then offers files.
 */
export function complete(words: readonly string[], verbs: readonly Verb[]): readonly Completion[] {
  const { before, current, prefix } = split(words);
  const [name, ...rest] = before;
  const names = [
    ...verbs.map(({ name: word, summary }) => ({ word, describe: summary })),
    { word: "help", describe: "Show the options and examples of a command" },
  ];
  const offered = name === undefined || name === "help" ? names : afterVerb(name, rest, current, verbs);
  return offered
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, describe }) => ({ word: `${prefix}${word}`, describe }));
}

function afterVerb(
  name: string,
  rest: readonly string[],
  current: string,
  verbs: readonly Verb[],
): readonly Completion[] {
  const verb = verbs.find((one) => one.name === name);
  // What stands behind -- are words of another program.
  if (!verb || rest.includes("--")) return [];
  const { options, positionals } = describeCommand(verb.module);
  const last = rest.at(-1);
  const asked = options.find((option) => last === `--${option.name}`);
  if (asked && !asked.isFlag) return asked.name === "schema" ? [] : values(asked);
  if (current.startsWith("-"))
    return [
      ...options.filter(({ name: option }) => !rest.includes(`--${option}`)).map(asOption),
      { word: "--help", describe: "Show what it does, with examples" },
    ];
  const named = new Map(positionals.flatMap(values).map((value) => [value.word, value]));
  return [...named.values()].filter(({ word }) => !rest.includes(word));
}

function asOption({ name, describe }: OptionDescription): Completion {
  return { word: name.length === 1 ? `-${name}` : `--${name}`, describe };
}

function values({ name, choices }: OptionDescription): readonly Completion[] {
  const words = choices.length === 0 && revisionPositionals.has(name) ? knownRevisions() : choices;
  return words.map((word) => ({ word, describe: name }));
}

interface Split {
  readonly before: readonly string[];
  readonly current: string;
  /** What of the word the answer has to repeat. */
  readonly prefix: string;
}

/** bash makes three words of `--format=html`, zsh leaves it one. */
function split(words: readonly string[]): Split {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1).filter((word) => word !== "=");
  if (current === "=") return { before, current: "", prefix: "" };
  const [, option, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (option === undefined || value === undefined) return { before, current, prefix: "" };
  return { before: [...before, option], current: value, prefix: `${option}=` };
}
