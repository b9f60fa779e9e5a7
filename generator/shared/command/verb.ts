import type { CommandModule } from "yargs";

/** One command of the command line. */
export interface Verb {
  readonly name: string;
  /** One short line for the list of all; `module.describe` says it in full. */
  readonly summary: string;
  /** When the exit code is 1. */
  readonly findings: string | undefined;
  readonly module: CommandModule;
}

/** @param findings when the exit code is 1, besides invalid input */
export function defineVerb<Arguments>(
  module: CommandModule<object, Arguments>,
  summary: string,
  findings?: string,
): Verb {
  const command = String(module.command);
  const [name = command] = command.split(" ", 1);
  return { name, summary, findings: findings && `${findings}, or faulty input`, module: module as CommandModule };
}
