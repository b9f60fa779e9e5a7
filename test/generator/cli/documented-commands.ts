import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { completeOption } from "../../../generator/commands/completion/words-to-complete.js";
import { createParser } from "../../../generator/cli/create-parser.js";
import { describeCommand, type OptionDescription } from "../../../generator/cli/describe-command.js";
import { findVerb } from "../../../generator/cli/find-verb.js";
import { verbGroups } from "../../../generator/cli/verbs.js";
import { ownArguments } from "../../../generator/cli/wrong-usage.js";
import { UsageError } from "../../../generator/shared/command/usage-error.js";
import type { Verb } from "../../../generator/shared/command/verb.js";
import { shellCommands } from "./shell-lines.js";

const root = resolve(import.meta.dirname, "../../..");
const silent = { write: () => true };

export const verbs = verbGroups({ out: silent, err: silent, exit: () => undefined }).flatMap((group) => group.verbs);

/** A file with its path from the root of the repository. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** The hand-written documents that have command lines. */
export function documents(): readonly Page[] {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md") && !/^reference\/api\/|^\.|node_modules/.test(path));
  return [
    "README.md",
    "README.zh-CN.md",
    "CONTRIBUTING.md",
    "examples/README.md",
    ...inDocs.map((path) => `docs/${path}`),
  ].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** A part of a page: a line of a shell or of its output, the command of a server in a configuration, or code in a sentence. */
interface Code {
  readonly line: number;
  readonly text: string;
  readonly isInline: boolean;
}

/** The code of a page in which commands can be. */
function codeOf({ text }: Page): readonly Code[] {
  const found: Code[] = [];
  let language: string | undefined;
  let joined = "";
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    const fence = /^\s*```+(\w*)/.exec(content);
    if (fence) {
      language = language === undefined ? fence[1] : undefined;
      continue;
    }
    if (language === undefined)
      for (const [, code = ""] of content.matchAll(/`([^`]+)`/g))
        found.push({ line, text: code.replaceAll("\\|", "|").replace(/<[^>]*>/g, "x"), isInline: true });
    const [, entry] = /"command": "npx", "args": (\[[^\]]*\])/.exec(content) ?? [];
    if (language === "json" && entry !== undefined)
      found.push({ line, text: `npx ${(JSON.parse(entry) as string[]).join(" ")}`, isInline: false });
    if (language !== "sh" && language !== "text") continue;
    joined += content.replace(/^\$ /, "").replace(/\\$/, " ");
    if (content.endsWith("\\")) continue;
    found.push({ line, text: joined, isInline: false });
    joined = "";
  }
  return found;
}

/** A command line of mcpwright, without the name of the program. */
export interface CommandLine {
  readonly path: string;
  readonly line: number;
  readonly words: readonly string[];
  /** Whether it is in a sentence, in which it can be a part of a command line. */
  readonly isInline: boolean;
}

export function commandLines(page: Page): readonly CommandLine[] {
  return codeOf(page).flatMap(({ line, text, isInline }) =>
    shellCommands(text).flatMap((command) => {
      const [first, ...rest] = command;
      const [program, ...words] = first === "npx" ? rest.filter((word, at) => at > 0 || word !== "-y") : command;
      if (program === undefined || !/^mcpwright(@\w+)?$/.test(program)) return [];
      return words.length === 0 || words[0] === "…" ? [] : [{ path: page.path, line, words, isInline }];
    }),
  );
}

/** Parses a command line without running it, and returns the reason for which it is rejected. */
export async function problemOf({ words, isInline }: CommandLine): Promise<string | undefined> {
  const [first = ""] = words;
  if (["help", "--help", "--version", completeOption].includes(first)) return undefined;
  const { verb, named, args } = findVerb(words, verbs);
  if (!verb) return `there is no command ${named}`;
  const known = optionsOf(verb).map(({ name }) => name);
  const unknown = ownArguments(args).flatMap((word) => /^--(?:no-)?([\w-]+)/.exec(word)?.[1] ?? []);
  const missing = unknown.filter((name) => !known.includes(name) && !known.includes(`no-${name}`));
  if (missing.length > 0) return `${verb.name} has no option --${missing.join(", --")}`;
  if (isInline) return undefined;
  try {
    await createParser(args, { ...verb, module: { ...verb.module, handler: () => undefined } }).parseAsync([...args]);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

const options = new Map(verbs.map((verb) => [verb.name, describeCommand(verb.module).options] as const));

function optionsOf({ name }: Verb): readonly OptionDescription[] {
  return options.get(name) ?? [];
}

/** The page of a verb: `docs/cli/gateway-lock.md` of `gateway lock`. */
export function pageOf(verb: Verb, folder = "docs/cli"): string {
  return `${folder}/${verb.name.replaceAll(" ", "-")}.md`;
}

/** The options of a verb that its page does not explain, and those that the page names and no verb of it has. */
export function pageProblems(verb: Verb, page: Page): readonly string[] {
  const named = codeOf(page).flatMap(({ line, text, isInline }) =>
    isInline && text.startsWith("--")
      ? [...text.matchAll(/(?:^|[ ,])--([\w-]+)/g)].map(([, name = ""]) => ({ line, name }))
      : [],
  );
  const forms = (name: string): readonly string[] => [name, `no-${name}`];
  const known = new Set(optionsOf(verb).flatMap(({ name, aliases }) => [...forms(name), ...aliases]));
  const names = new Set(named.map(({ name }) => name));
  const unexplained = optionsOf(verb)
    .filter(({ name }) => !forms(name).some((form) => names.has(form)))
    .map(({ name }) => `${page.path} does not explain --${name} of mcpwright ${verb.name}`);
  const invented = named
    .filter(({ name }) => !known.has(name))
    .map(({ line, name }) => `${page.path}:${line} mcpwright ${verb.name} has no option --${name}`);
  return [...unexplained, ...invented];
}
