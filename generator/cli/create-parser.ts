import yargs, { type Argv } from "yargs";
import { UsageError } from "../shared/command/usage-error.js";
import type { Verb } from "../shared/command/verb.js";
import { packageRoot } from "../shared/package-root.js";
import { describeCommand } from "./describe-command.js";
import { moduleOf } from "./find-verb.js";
import { explainWrongUsage, noInput, ownArguments, readsInput } from "./wrong-usage.js";

/**
 * Creates the parser of a command line, which runs the handler of the verb.
 * @param args the arguments, as `findVerb` returns them
 */
export function createParser(args: readonly string[], verb: Verb | undefined): Argv {
  const parser = yargs()
    .scriptName("mcpwright")
    .demandCommand(1)
    .strict()
    .detectLocale(false)
    .check((values: Record<string, unknown>) => {
      const own = ownArguments(args);
      const { options = [] } = verb ? describeCommand(verb.module) : {};
      const flags = options.filter(({ isFlag }) => isFlag).map(({ name }) => `--${name}=`);
      const vague = own.find((arg) => flags.some((flag) => arg.startsWith(flag)) && !/=(true|false)$/.test(arg));
      if (vague !== undefined) throw new UsageError(`${vague} must be true or false.`);
      const repeated = options.find(({ name, isList }) => !isList && Array.isArray(values[name]));
      if (repeated) throw new UsageError(`--${repeated.name} must not be repeated.`);
      if (verb && own.includes("-") && !readsInput(verb)) throw new UsageError(noInput(verb));
      return true;
    })
    .version(packageRoot().version)
    .help(false)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      if (error && error.name !== "YError") throw error;
      throw new UsageError(verb && message ? explainWrongUsage(message, args, verb) : "A command is required.");
    });
  if (verb) parser.command(moduleOf(verb));
  return parser;
}
