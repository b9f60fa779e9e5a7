import type { CommandModule } from "yargs";

/** One command of the command line. */
export interface Verb {
  /** One word, or that of another command and a second one: `gateway lock`. */
  readonly name: string;
  /** One short line for the list of commands; `module.describe` is the full description. */
  readonly summary: string;
  /** The reasons for exit code 1. */
  readonly findings: string | undefined;
  /** Lines of the help about exit codes that only this command has: the code, two blanks, and the reason. */
  readonly furtherCodes: readonly string[];
  readonly module: CommandModule;
}

/** @param findings the reasons for exit code 1, besides invalid input */
export function defineVerb<Arguments>(
  module: CommandModule<object, Arguments>,
  summary: string,
  findings?: string,
  furtherCodes: readonly string[] = [],
): Verb {
  const command = String(module.command);
  const [name = command] = command.split(/ [<[]/, 1);
  const module_ = module as CommandModule;
  return { name, summary, findings: findings && `${findings}, or invalid input`, furtherCodes, module: module_ };
}
