import type { CommandModule } from "yargs";
import type { Verb } from "../shared/command/verb.js";

/** The command of a command line. */
export interface FoundVerb {
  /** Undefined if there is no such command. */
  readonly verb: Verb | undefined;
  /** The word that should name it; undefined if there is none. */
  readonly named: string | undefined;
  /** The arguments for yargs, which knows names of one word. */
  readonly args: readonly string[];
}

/** Finds the command by its first word, or its first two. */
export function findVerb(args: readonly string[], verbs: readonly Verb[]): FoundVerb {
  const at = args.findIndex((word) => !word.startsWith("-"));
  const named = args[at];
  const both = `${named} ${args[at + 1]}`;
  const verb = verbs.find(({ name }) => name === both);
  if (verb) return { verb, named, args: [...args.slice(0, at), oneWord(both), ...args.slice(at + 2)] };
  return { verb: verbs.find(({ name }) => name === named), named, args };
}

/** The module of a command with a name of one word. */
export function moduleOf({ name, module }: Verb): CommandModule {
  return name.includes(" ") ? { ...module, command: String(module.command).replace(name, oneWord(name)) } : module;
}

function oneWord(name: string): string {
  return name.replaceAll(" ", "-");
}
