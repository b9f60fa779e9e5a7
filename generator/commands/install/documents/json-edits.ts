import type { Node } from "jsonc-parser";
import { endOfCommaAfter, endOfCommentsOnLine, type Member, membersOf, tokenBefore } from "./json-tree.js";
import { type Edit, lineEndOf } from "./text-position.js";

export interface JsonStyle {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
  /** Whether the document is written on one line. */
  readonly isOneLine: boolean;
  /** The space after a colon. */
  readonly gap: string;
}

/** How a document is written; a new one is indented by two spaces. */
export function styleOf(text: string, root: Node | undefined): JsonStyle {
  const eol = lineEndOf(text);
  const [first] = root?.type === "object" ? membersOf(root) : [];
  if (!root || !first) return { unit: "  ", eol, isOneLine: false, gap: " " };
  const before = text.slice(text.lastIndexOf("\n", first.start) + 1, first.start);
  const isOneLine = !text.slice(root.offset, root.offset + root.length).includes("\n");
  const unit = before !== "" && /^[ \t]+$/.test(before) ? before : "  ";
  const gap = /^"(?:[^"\\]|\\.)*"\s*:(\s*)/.exec(text.slice(first.start))?.[1] ?? " ";
  return { unit, eol, isOneLine, gap: gap.includes("\n") ? " " : gap };
}

/** A value as text; on one line without `indent`, which is that of the line where the value begins. */
export function printValue(value: unknown, indent: string | undefined, { unit, eol, gap }: JsonStyle): string {
  if (indent === undefined) return onOneLine(value, gap);
  return JSON.stringify(value, undefined, unit).split("\n").join(`${eol}${indent}`);
}

export function printMember(name: string, value: unknown, indent: string | undefined, style: JsonStyle): string {
  return `${JSON.stringify(name)}:${indent === undefined ? style.gap : " "}${printValue(value, indent, style)}`;
}

function onOneLine(value: unknown, gap: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, gap)).join(`,${gap}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${gap}${onOneLine(one, gap)}`);
  return `{${members.join(`,${gap}`)}}`;
}

/** The edits that add a member to an object, as its last one. */
export function insertMember(
  text: string,
  object: Node,
  name: string,
  value: unknown,
  style: JsonStyle,
): readonly Edit[] {
  const last = membersOf(object).at(-1);
  if (!last) return [insertFirst(text, object, name, value, style)];
  const comma = endOfCommaAfter(text, last.end);
  const gap = text.slice(tokenBefore(text, object.offset, last.start).end, last.start);
  const lead = /[\r\n]/.test(gap) ? `${style.eol}${indentAt(text, last.start)}` : undefined;
  const member = printMember(name, value, lead && indentAt(text, last.start), style);
  const separated = `${lead ?? (membersOf(object).length > 1 ? gap : style.gap)}${member}`;
  const at = lead === undefined ? (comma ?? last.end) : endOfCommentsOnLine(text, comma ?? last.end);
  if (comma !== undefined) return [{ from: at, to: at, text: `${separated},` }];
  if (at === last.end) return [{ from: at, to: at, text: `,${separated}` }];
  return [
    { from: last.end, to: last.end, text: "," },
    { from: at, to: at, text: separated },
  ];
}

function insertFirst(text: string, object: Node, name: string, value: unknown, style: JsonStyle): Edit {
  const at = object.offset + 1;
  if (style.isOneLine) return { from: at, to: at, text: printMember(name, value, undefined, style) };
  const outer = indentAt(text, object.offset);
  const inner = `${outer}${style.unit}`;
  const hasLine = text.slice(at, object.offset + object.length).includes("\n");
  const end = hasLine ? "" : `${style.eol}${outer}`;
  return { from: at, to: at, text: `${style.eol}${inner}${printMember(name, value, inner, style)}${end}` };
}

/** Ways to remove a member. The first is the inverse of `insertMember`, except for an object that had a line break. */
export function withoutMember(
  text: string,
  object: Node,
  { start, end }: Member,
  { eol }: JsonStyle,
): readonly (readonly Edit[])[] {
  const { end: from, isLineComment } = tokenBefore(text, object.offset, start);
  const comma = endOfCommaAfter(text, end);
  const to = comma ?? end;
  const staysOpen = isLineComment && !/^[ \t]*\r?\n/.test(text.slice(to));
  const whole = { from, to, text: staysOpen ? eol : "" };
  const members = membersOf(object);
  if (members.length === 1) {
    const outer = `${eol}${indentAt(text, object.offset)}`;
    const hasOuter = !isLineComment && text.startsWith(outer, to);
    return hasOuter ? [[{ ...whole, to: to + outer.length }], [whole]] : [[whole]];
  }
  const previous = members[members.findIndex((one) => one.start === start) - 1];
  const separator = previous && comma === undefined ? endOfCommaAfter(text, previous.end) : undefined;
  if (separator === undefined) return [[whole]];
  if (separator === from) return [[{ ...whole, from: from - 1 }]];
  return [[{ from: separator - 1, to: separator, text: "" }, whole]];
}

/** The white space at the begin of the line of an offset. */
function indentAt(text: string, offset: number): string {
  const begin = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(begin, offset))?.[0] ?? "";
}
