import type { Argv } from "yargs";
import { UsageError } from "./usage-error.js";

/** An environment variable that the users of a server set. */
export interface ServerVariable {
  readonly name: string;
  /** Whether hosts hide the value and store it as a secret. */
  readonly isSecret: boolean;
  /** The default. Without it, users must enter a value. */
  readonly value?: string;
}

export interface VariableArguments {
  readonly env: readonly string[] | undefined;
  readonly secret: readonly string[] | undefined;
}

export function variableOptions(argv: Argv): Argv<VariableArguments> {
  return argv
    .option("env", {
      describe: "Variable that the host asks the user for, as NAME, or NAME=value with a default; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("secret", {
      describe: "The same, for a value that the host hides and stores as a secret; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .check((given) => {
      checkVariables(given);
      return true;
    });
}

function checkVariables({ env = [], secret = [] }: VariableArguments): void {
  for (const text of env)
    if (!/^[A-Za-z_]\w*(=|$)/.test(text)) throw new UsageError("--env must be NAME or NAME=value.");
  for (const name of secret)
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError("--secret must be NAME: the file contains no secrets.");
  const names = [...env.map((text) => text.split("=", 1)[0]), ...secret];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The variable ${twice} is named twice.`);
}

export function variablesOf({ env = [], secret = [] }: VariableArguments): readonly ServerVariable[] {
  const plain = env.map((text): ServerVariable => {
    const [name = ""] = text.split("=", 1);
    return { name, isSecret: false, ...(text.includes("=") && { value: text.slice(name.length + 1) }) };
  });
  return [...plain, ...secret.map((name) => ({ name, isSecret: true }))];
}

/** The values with which a server is tried: those of this process, or the defaults. Variables without either are absent. */
export function environmentOf(variables: readonly ServerVariable[]): Readonly<Record<string, string>> {
  const values = variables.map(({ name, value }) => [name, process.env[name] ?? value] as const);
  return Object.fromEntries(values.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}
