import yargs, { type Argv, type CommandModule } from "yargs";

export interface OptionDescription {
  /** Without hyphens. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly describe: string;
  readonly isFlag: boolean;
  readonly isNumber: boolean;
  /** Whether it may be given several times. */
  readonly isList: boolean;
  /** How many words it takes; undefined when it may stand alone. */
  readonly words: number | undefined;
  readonly choices: readonly string[];
  readonly byDefault: unknown;
}

/** What a command says of itself. */
export interface CommandDescription {
  readonly positionals: readonly OptionDescription[];
  readonly options: readonly OptionDescription[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly epilogue: string | undefined;
}

/** What yargs itself reads to complete words and to refuse them, and its types leave out. */
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

/** Has the builder of a command tell a parser, which answers no command line, what the command takes. */
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
      // Not a number stands for one or more.
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
