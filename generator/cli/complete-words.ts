import { knownExtensionIds } from "../shared/sources/extension-folder.js";
import { knownRevisions } from "../shared/sources/schema-folder.js";
import type { Verb } from "../shared/command/verb.js";
import { findVerb } from "./find-verb.js";
import { describeCommand, type OptionDescription } from "./describe-command.js";

/** A candidate for the last word, with its description. */
export interface Completion {
  readonly word: string;
  readonly describe: string;
}

/** Arguments that take a revision, some of them also a file. */
const revisionArguments: ReadonlySet<string> = new Set([
  "revision",
  "revisions",
  "before",
  "after",
  "schema",
  "over",
  "losses",
]);

/** Arguments that take the id of an extension, some of them also a file. */
const extensionArguments: ReadonlySet<string> = new Set(["extension", "schema"]);

/**
 * Completes the last word of a command line, which may be empty.
 * @param words the command line without the program
 * @returns an empty list where the shell should offer files
 */
export function complete(words: readonly string[], verbs: readonly Verb[]): readonly Completion[] {
  const { before, current, prefix } = split(words);
  const [name, ...rest] = before;
  const names = [
    ...verbs.filter((verb) => !verb.name.includes(" ")).map(({ name: word, summary }) => ({ word, describe: summary })),
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
  const { verb } = findVerb([name, ...rest], verbs);
  // The words after -- belong to another program.
  if (!verb || rest.includes("--")) return [];
  const { options, positionals } = describeCommand(verb.module);
  const last = rest.at(-1);
  const asked = options.find((option) => last === `--${option.name}`);
  if (asked && !asked.isFlag) return asked.name === "schema" ? [] : values(asked);
  if (current.startsWith("-"))
    return [
      ...options.filter(({ name: option }) => !rest.includes(`--${option}`)).map(asOption),
      { word: "--help", describe: "Show the help of this command" },
    ];
  const named = new Map(positionals.flatMap(values).map((value) => [value.word, value]));
  return [...named.values()].filter(({ word }) => !rest.includes(word));
}

function asOption({ name, describe }: OptionDescription): Completion {
  return { word: name.length === 1 ? `-${name}` : `--${name}`, describe };
}

function values({ name, choices }: OptionDescription): readonly Completion[] {
  const words = choices.length === 0 ? known(name) : choices;
  return words.map((word) => ({ word, describe: name }));
}

/** The revisions and extensions that an argument can name. */
function known(name: string): readonly string[] {
  return [
    ...(revisionArguments.has(name) ? knownRevisions() : []),
    ...(extensionArguments.has(name) ? knownExtensionIds() : []),
  ];
}

interface Split {
  readonly before: readonly string[];
  readonly current: string;
  /** The part of the word that each completion must repeat. */
  readonly prefix: string;
}

/** bash splits `--format=html` into three words; zsh keeps it as one. */
function split(words: readonly string[]): Split {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1).filter((word) => word !== "=");
  if (current === "=") return { before, current: "", prefix: "" };
  const [, option, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (option === undefined || value === undefined) return { before, current, prefix: "" };
  return { before: [...before, option], current: value, prefix: `${option}=` };
}
