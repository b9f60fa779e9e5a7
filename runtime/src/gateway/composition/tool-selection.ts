import type { Tool, ToolAnnotations } from "../../authoring.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { quoted } from "./quoted.js";
import { isWildcard, wildcard } from "./wildcard.js";

/** What replaces members of a tool. */
export interface ToolOverride {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Merged over those of the server: annotations that are not here stay. */
  readonly annotations?: ToolAnnotations | undefined;
}

/**
 * The tools of a server that clients see, and what they see of them. All names are the server's own, before any renaming. Each
 * `*` in a string matches any characters, also none; regular expressions match a part of the name unless they have `^` and `$`.
 *
 * Names come from servers: a regular expression that backtracks much can be slow for a long name; strings with `*` cannot.
 * @example
 * ```ts
 * const tools: ToolSelection = {
 *   allow: ["read_*", "list_files"],
 *   deny: ["read_secret*"],
 *   rename: { list_files: "list", "read_*": "get_*" },
 *   override: { "*": { annotations: { readOnlyHint: true } } },
 * };
 * ```
 */
export interface ToolSelection {
  /** The tools to show. Default: all. An empty list shows none. */
  readonly allow?: readonly (string | RegExp)[] | undefined;
  /** The tools to hide, also if `allow` has them. Default: none. */
  readonly deny?: readonly (string | RegExp)[] | undefined;
  /**
   * New names by name. With one `*` on both sides, the text that it matches is carried over: `"get_*": "fetch_*"`. An exact
   * name precedes patterns, and the first pattern that matches applies. A pattern does not apply where the new name would be
   * empty.
   */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** Replaced members by name or pattern. Where several match, they apply in their order, and that of the exact name last. */
  readonly override?: Readonly<Record<string, ToolOverride>> | undefined;
}

type Test = (name: string) => boolean;

/** Returns the new name; undefined where the pattern does not apply. */
type Rename = (name: string) => string | undefined;

/** Exact names, and tests of the patterns. */
interface NameTest {
  readonly names: ReadonlySet<string>;
  readonly tests: readonly Test[];
}

/** Applies a `ToolSelection` to the tools of its server. */
export class SelectedTools {
  readonly #allow: NameTest | undefined;
  readonly #deny: NameTest | undefined;
  readonly #renamed = new Map<string, string>();
  readonly #renamePatterns: Rename[] = [];
  readonly #overrides = new Map<string, ToolOverride>();
  readonly #overridePatterns: { readonly test: Test; readonly override: ToolOverride }[] = [];

  /** @throws SdkError `INVALID_CONFIGURATION` when the selection is invalid; the message has the member and the remedy */
  constructor(selection: ToolSelection | undefined) {
    const { allow, deny, rename, override } = membersOf("tools", selection, ["allow", "deny", "rename", "override"]);
    this.#allow = readPatterns("tools.allow", allow);
    this.#deny = readPatterns("tools.deny", deny);
    for (const [from, to] of entriesOf("tools.rename", rename)) {
      const target = readRename(from, to);
      if (isWildcard(from)) this.#renamePatterns.push(renameByPattern(from, target));
      else this.#renamed.set(from, target);
    }
    for (const [pattern, value] of entriesOf("tools.override", override)) {
      const changes = readOverride(pattern, value);
      if (isWildcard(pattern)) this.#overridePatterns.push({ test: wildcard(pattern), override: changes });
      else this.#overrides.set(pattern, changes);
    }
  }

  /** Whether clients see the tool with this name of the server. */
  includes(name: string): boolean {
    return (this.#allow === undefined || matches(this.#allow, name)) && !(this.#deny && matches(this.#deny, name));
  }

  /** Returns the tool with its new name and members; the same object if nothing changes, undefined if it is hidden. */
  select(tool: Tool): Tool | undefined {
    const { name } = tool;
    if (!this.includes(name)) return undefined;
    let selected = tool;
    for (const { test, override } of this.#overridePatterns)
      if (test(name)) selected = overrideTool(selected, override);
    const override = this.#overrides.get(name);
    if (override) selected = overrideTool(selected, override);
    const newName = this.#renamed.get(name) ?? this.#renameByPattern(name) ?? name;
    return newName === name ? selected : { ...selected, name: newName };
  }

  #renameByPattern(name: string): string | undefined {
    for (const rename of this.#renamePatterns) {
      const renamed = rename(name);
      if (renamed !== undefined) return renamed;
    }
    return undefined;
  }
}

function matches({ names, tests }: NameTest, name: string): boolean {
  return names.has(name) || tests.some((test) => test(name));
}

/** Returns the same object if it has all members of the override already. */
function overrideTool(tool: Tool, { annotations, ...texts }: ToolOverride): Tool {
  const merged =
    annotations && !includesAll(tool.annotations, annotations) ? { ...tool.annotations, ...annotations } : undefined;
  if (!merged && includesAll(tool, texts)) return tool;
  return { ...tool, ...(texts as Partial<Tool>), ...(merged && { annotations: merged }) };
}

function includesAll(value: object | undefined, members: object): boolean {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(members).every(([name, member]) => Object.hasOwn(given, name) && given[name] === member);
}

function readPatterns(where: string, patterns: unknown): NameTest | undefined {
  if (patterns === undefined) return undefined;
  if (!Array.isArray(patterns)) refuse(where, "must be a list", `write ["read_*"], for example`);
  const names = new Set<string>();
  const tests: Test[] = [];
  for (const [index, pattern] of (patterns as readonly unknown[]).entries()) {
    if (pattern instanceof RegExp) tests.push(testOf(pattern));
    else if (typeof pattern !== "string" || pattern === "")
      refuse(`${where}[${index}]`, "must be a non-empty string or a regular expression", "write a name of a tool");
    else if (isWildcard(pattern)) tests.push(wildcard(pattern));
    else names.add(pattern);
  }
  return { names, tests };
}

/** Tests with a copy: with the flags `g` and `y`, an expression keeps where it ended. */
function testOf(pattern: RegExp): Test {
  const copy = new RegExp(pattern);
  return (name) => {
    copy.lastIndex = 0;
    return copy.test(name);
  };
}

function readRename(from: string, to: unknown): string {
  const where = `tools.rename[${quoted(from)}]`;
  if (typeof to !== "string" || to === "") refuse(where, "must be a non-empty string", "write the new name");
  const stars = [from, to].map((text) => text.split("*").length - 1);
  if (stars.some((count) => count > 1))
    refuse(where, `has several "*" in ${quoted(stars[0] === 1 ? to : from)}`, 'write one "*" on each side');
  if (stars[0] !== stars[1])
    refuse(where, `has a "*" on one side alone`, `write one on both sides, such as "get_*": "fetch_*", or none`);
  return to;
}

function renameByPattern(from: string, to: string): Rename {
  const [start = "", end = ""] = from.split("*");
  const [newStart = "", newEnd = ""] = to.split("*");
  const test = wildcard(from);
  return (name) =>
    test(name) ? `${newStart}${name.slice(start.length, name.length - end.length)}${newEnd}` || undefined : undefined;
}

/** Leaves out members that are undefined, which would hide those of the tool. */
function readOverride(pattern: string, value: unknown): ToolOverride {
  const where = `tools.override[${quoted(pattern)}]`;
  if (!isObject(value)) refuse(where, "must be an object", 'write { description: "…" }, for example');
  const members = membersOf(where, value, ["title", "description", "annotations"]);
  for (const name of ["title", "description"])
    if (members[name] !== undefined && typeof members[name] !== "string")
      refuse(`${where}.${name}`, "must be a string", "write the text that clients see");
  for (const [name, annotation] of entriesOf(`${where}.annotations`, members["annotations"])) {
    const type = name === "title" ? "string" : "boolean";
    if (/^title$|Hint$/.test(name) && annotation !== undefined && typeof annotation !== type)
      refuse(`${where}.annotations.${name}`, `must be a ${type}`, "correct or remove it");
  }
  const defined = (object: object): object =>
    Object.fromEntries(Object.entries(object).filter(([, member]) => member !== undefined));
  const { annotations } = members;
  return defined({ ...members, annotations: isObject(annotations) ? defined(annotations) : undefined });
}

/** Returns the object, or an empty one for undefined, after a check that it has no other members. */
function membersOf(where: string, value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(entriesOf(where, value));
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    refuse(where, `has the unknown member ${quoted(unknown)}`, `use ${known.join(", ")}, or remove it`);
  return given;
}

/** Returns the entries of an object, after a check that no name is empty. */
function entriesOf(where: string, value: unknown): [string, unknown][] {
  if (value === undefined) return [];
  if (!isObject(value)) refuse(where, "must be an object", "write { } with its members, or leave it out");
  if (Object.hasOwn(value, "")) refuse(where, "has an empty name", 'write a name or a pattern, such as "read_*"');
  return Object.entries(value);
}

function refuse(where: string, problem: string, remedy: string): never {
  throw new SdkError("INVALID_CONFIGURATION", `${where} ${problem}; ${remedy}`);
}
