import yargs, { type Argv, type CommandModule } from "yargs";

export interface OptionDescription {
  /** Without hyphens. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly describe: string;
  readonly isFlag: boolean;
  readonly isNumber: boolean;
  /** Whether the option can be repeated. */
  readonly isList: boolean;
  /** Number of words the option takes; undefined when the value is optional. */
  readonly words: number | undefined;
  readonly choices: readonly string[];
  readonly byDefault: unknown;
}

/** The arguments, options and examples of a command. */
export interface CommandDescription {
  readonly positionals: readonly OptionDescription[];
  readonly options: readonly OptionDescription[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly epilogue: string | undefined;
}

/** Members of yargs that its types omit. */
interface Internals {
  getOptions(): {
    readonly key: Readonly<Record<string, unknown>>;
    readonly alias: Readonly<Record<string, readonly string[] | undefined>>;
    readonly boolean: readonly string[];
    readonly number: readonly string[];
    readonly array: readonly string[];
    readonly narg: Readonly<Record<string, number | undefined>>;
    readonly choices: Readonly<Record<string, readonly string[] | undefined>>;
    readonly default: Readonly<Record<string, unknown>>;
  };
  getGroups(): Readonly<Record<string, readonly string[] | undefined>>;
  getInternalMethods(): { getUsageInstance(): { getDescriptions(): Readonly<Record<string, string | undefined>> } };
}

/** Runs the builder of a command on a parser that parses nothing, and reads the registered options. */
export function describeCommand({ builder }: CommandModule): CommandDescription {
  const parser = yargs().detectLocale(false).help(false).version(false);
  const examples: (readonly [string, string])[] = [];
  let epilogue: string | undefined;
  parser.example = (command: unknown, meaning?: string) => {
    examples.push([String(command).replace("$0", "mcpwright"), meaning ?? ""]);
    return parser;
  };
  parser.epilogue = (text) => {
    epilogue = text;
    return parser;
  };
  if (typeof builder === "function") void builder(parser);
  const internals = parser as Argv & Internals;
  const { key, alias, boolean, number, array, narg, choices, default: defaults } = internals.getOptions();
  const descriptions = internals.getInternalMethods().getUsageInstance().getDescriptions();
  const isPositional = (name: string): boolean => internals.getGroups()["Positionals:"]?.includes(name) === true;
  const aliases = new Set(Object.values(alias).flatMap((names) => names ?? []));
  const all = Object.keys(key)
    .filter((name) => !aliases.has(name) || (alias[name]?.length ?? 0) > 0)
    .map((name) => ({
      name,
      aliases: alias[name] ?? [],
      describe: descriptions[name] ?? "",
      isFlag: boolean.includes(name),
      isNumber: number.includes(name),
      isList: array.includes(name),
      // NaN means one or more.
      words: narg[name] === undefined ? undefined : narg[name] || 1,
      choices: choices[name] ?? [],
      byDefault: defaults[name],
    }));
  return {
    positionals: all.filter(({ name }) => isPositional(name)),
    options: all.filter(({ name }) => !isPositional(name)),
    examples,
    epilogue,
  };
}
