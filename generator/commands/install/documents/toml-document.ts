import { type AST, getStaticTOMLValue, parseTOML, ParseError, traverseNodes } from "toml-eslint-parser";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../../shared/is-object.js";
import { isConnectionField } from "../entry/connection-fields.js";
import { printInlineTable, printPair, printTable } from "./print-toml.js";
import type { Entry, ServerDocument } from "./server-document.js";
import { applyEdits, type Edit, lineEndOf, spanAt } from "./text-position.js";

/** What the document has of one server. */
interface EntryNodes {
  /** `[servers.name]` and tables below it. */
  readonly tables: readonly AST.TOMLTable[];
  /** `name = …` in `[servers]`, or `servers.name = …`; with dotted keys, one for each member. */
  readonly pairs: readonly AST.TOMLKeyValue[];
}

/**
 * Reads a TOML document with tables of servers.
 * @throws DiagnosticError install-config-syntax, install-config-shape
 */
export function parseTomlDocument(given: string, path: string, servers: string): ServerDocument {
  const mark = given.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = given.slice(mark.length);
  const program = parse(text, path);
  const container = (getStaticTOMLValue(program) as Entry)[servers];
  const [{ body }] = program.body;
  const wrong = (what: string, expected: string, node: AST.TOMLNode): never =>
    fail("install-config-shape", { what, expected }, spanAt(path, text, node.range[0]));
  const inline = body.find(
    (node) => node.type === "TOMLKeyValue" && node.key.keys.length === 1 && keysOf(node)[0] === servers,
  );
  const array = body.find(
    (node) => node.type === "TOMLTable" && node.kind === "array" && node.resolvedKey[0] === servers,
  );
  if (inline) wrong(servers, `written as tables: [${servers}.name]`, inline);
  if (array) wrong(servers, `made of tables with one pair of brackets: [${servers}.name]`, array);
  const all = isObject(container) ? container : {};
  const apply = (edits: readonly Edit[]): string => mark + applyEdits(text, edits);

  return {
    names: Object.keys(all),
    entry: (name) => (Object.hasOwn(all, name) && isObject(all[name]) ? all[name] : undefined),
    set: (name, entry) => {
      const nodes = nodesOf(body, servers, name);
      const [first] = nodes.pairs;
      if (first) {
        if (first.value.type !== "TOMLInlineTable" || isDeep(first, servers))
          return wrong(`${servers}.${name}`, `written as a table: [${servers}.${name}]`, first);
        return apply([{ from: first.value.range[0], to: first.value.range[1], text: printInlineTable(entry) }]);
      }
      if (nodes.tables.length > 0) return apply(changeTables(text, servers, name, nodes.tables, entry));
      return mark + append(text, printTable([servers, name], entry));
    },
    without: (name) => {
      const { tables, pairs } = nodesOf(body, servers, name);
      const lines = pairs.map(({ range: [from, to] }) => ({
        from: lineStart(text, from),
        to: nextLine(text, to),
        text: "",
      }));
      return cutsOf(
        tables.map((table) => rangeOf(text, table)),
        text,
      ).map((cuts) => apply([...lines, ...cuts]));
    },
  };
}

function parse(text: string, path: string): AST.TOMLProgram {
  try {
    const program = parseTOML(text, { tomlVersion: "1.1" });
    traverseNodes(program, { enterNode: (node) => assertKey(node, text, path), leaveNode: () => undefined });
    return program;
  } catch (error) {
    if (error instanceof ParseError)
      return fail("install-config-syntax", { reason: error.message }, spanAt(path, text, error.index));
    if (error instanceof RangeError)
      return fail("install-config-syntax", { reason: "it nests too deeply" }, spanAt(path, text, 0));
    throw error;
  }
}

/** `getStaticTOMLValue` would change the prototype of all objects. */
function assertKey(node: AST.TOMLNode, text: string, path: string): void {
  if (node.type !== "TOMLBare" && node.type !== "TOMLQuoted") return;
  if ((node.type === "TOMLBare" ? node.name : node.value) !== "__proto__") return;
  fail("install-config-syntax", { reason: "__proto__ is not supported as a key" }, spanAt(path, text, node.range[0]));
}

function keysOf({ key }: AST.TOMLKeyValue | AST.TOMLTable): readonly string[] {
  return key.keys.map((one) => (one.type === "TOMLBare" ? one.name : one.value));
}

function nodesOf(body: readonly (AST.TOMLKeyValue | AST.TOMLTable)[], servers: string, name: string): EntryNodes {
  const isOf = (keys: readonly (string | number)[]): boolean => keys[0] === servers && keys[1] === name;
  const tables = body.filter((node) => node.type === "TOMLTable");
  const holder = tables.find(({ resolvedKey }) => resolvedKey.length === 1 && resolvedKey[0] === servers);
  return {
    tables: tables.filter(({ resolvedKey }) => isOf(resolvedKey)),
    pairs: [
      ...body.filter((node) => node.type === "TOMLKeyValue").filter((pair) => isOf(keysOf(pair))),
      ...(holder?.body ?? []).filter((pair) => keysOf(pair)[0] === name),
    ],
  };
}

/** Whether a pair is for a member of the server. */
function isDeep(pair: AST.TOMLKeyValue, servers: string): boolean {
  return pair.key.keys.length > (keysOf(pair)[0] === servers && pair.parent.type === "TOMLTopLevelTable" ? 2 : 1);
}

/** Replaces the members that connect to the server. Other members, tables and comments stay. */
function changeTables(
  text: string,
  servers: string,
  name: string,
  tables: readonly AST.TOMLTable[],
  entry: Entry,
): readonly Edit[] {
  const eol = lineEndOf(text);
  const lines = Object.entries(entry)
    .filter(([field]) => isConnectionField(field))
    .map(([field, value]) => printPair(field, value));
  const main = tables.find(({ resolvedKey }) => resolvedKey.length === 2);
  const outdated = tables.filter(
    ({ resolvedKey: [, , field] }) => typeof field === "string" && isConnectionField(field),
  );
  const [tidy = [], exact = tidy] = cutsOf(
    outdated.map((table) => rangeOf(text, table)),
    text,
  );
  const [first] = tables;
  if (!main) {
    const at = lineStart(text, first?.range[0] ?? text.length);
    const header = printTable([servers, name], {}).trimEnd();
    // An empty line separates it from a table that stays.
    const gap = first && outdated.includes(first) ? "" : eol;
    return [{ from: at, to: at, text: `${[header, ...lines].join(eol)}${eol}${gap}` }, ...exact];
  }
  const replaced = main.body.filter((pair) => isConnectionField(keysOf(pair)[0] ?? ""));
  const at = lineEnd(text, text.indexOf("]", main.key.range[1]));
  return [
    { from: at, to: at, text: lines.map((line) => `${eol}${line}`).join("") },
    ...replaced.map(({ range: [from, to] }) => ({
      from: lineEnd(text, lineStart(text, from) - 1),
      to: lineEnd(text, to),
      text: "",
    })),
    ...tidy,
  ];
}

/** Appends a table, after an empty line. */
function append(text: string, table: string): string {
  const eol = lineEndOf(text);
  const lines = table.replaceAll("\n", eol);
  if (text.trim() === "") return `${text}${lines}`;
  if (!text.endsWith("\n")) return `${text}${eol}${eol}${lines.trimEnd()}`;
  return `${text}${text.endsWith(`${eol}${eol}`) ? "" : eol}${lines}`;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A table with its indentation and the comment behind its last line. */
function rangeOf(text: string, table: AST.TOMLTable): Range {
  const last = table.body.at(-1)?.range[1] ?? text.indexOf("]", table.key.range[1]);
  return { from: lineStart(text, table.range[0]), to: lineEnd(text, last) };
}

/** Ways to cut tables: with the empty line before them, without it, and with the line end of the line before. */
function cutsOf(ranges: readonly Range[], text: string): readonly (readonly Edit[])[] {
  const eol = lineEndOf(text);
  const hasBlank = (from: number): boolean =>
    text.slice(0, from).endsWith(`${eol}${eol}`) || text.slice(0, from) === eol;
  const cut = (from: number, to: number): Edit => ({ from, to, text: "" });
  const tidy = ranges.map(({ from, to }) => cut(hasBlank(from) ? from - eol.length : from, nextLine(text, to)));
  const exact = ranges.map(({ from, to }) => cut(from, nextLine(text, to)));
  const open = ranges.map(({ from, to }) => cut(hasBlank(from) ? from - 2 * eol.length : from, to));
  if (!ranges.every(({ from }) => from >= 2 * eol.length)) return [tidy, exact];
  return ranges.some(({ to }) => to === text.length) ? [open, exact, tidy] : [tidy, exact, open];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The position of the line end after `offset`. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

/** The begin of the line after the one of `offset`. */
function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}
