import { getNodeValue, type Node } from "jsonc-parser";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { insertMember, type JsonStyle, printMember, printValue, styleOf, withoutMember } from "./json-edits.js";
import { type Member, membersOf, readTree } from "./json-tree.js";
import type { Entry, ServerDocument } from "./server-document.js";
import { applyEdits, type Edit, spanAt } from "./text-position.js";

/**
 * Reads a JSON document with an object of servers.
 * @throws DiagnosticError install-config-syntax, install-config-shape, install-config-repeated
 */
export function parseJsonDocument(given: string, path: string, servers: string): ServerDocument {
  const mark = given.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = given.slice(mark.length);
  const root = readTree(text, path);
  const shapeOf = (node: Node, what: string): Node =>
    node.type === "object"
      ? node
      : fail("install-config-shape", { what, expected: "an object" }, spanAt(path, text, node.offset));
  const memberOf = (object: Node, name: string): Member | undefined => {
    const [first, second] = membersOf(object).filter((one) => one.name === name);
    if (!first || !second) return first;
    const { line } = spanAt(path, text, first.start);
    return fail("install-config-repeated", { name, line }, spanAt(path, text, second.start));
  };
  const holder = root && memberOf(shapeOf(root, "the document"), servers);
  const container = holder && shapeOf(holder.value, `"${servers}"`);
  const style = styleOf(text, root);
  const find = (name: string): Member | undefined => container && memberOf(container, name);
  const apply = (edits: readonly Edit[]): string => mark + applyEdits(text, edits);

  return {
    names: container ? [...new Set(membersOf(container).map(({ name }) => name))] : [],
    entry: (name) => {
      const member = find(name);
      // The objects of the parser have no prototype, and would differ from others.
      return member && structuredClone(getNodeValue(shapeOf(member.value, `"${name}"`)) as Entry);
    },
    set: (name, entry) => {
      const member = find(name);
      if (member) return apply([replaceValue(text, member, entry, style)]);
      if (container) return apply(insertMember(text, container, name, entry, style));
      if (root) return apply(insertMember(text, root, servers, { [name]: entry }, style));
      return mark + newDocument(text, servers, { [name]: entry }, style);
    },
    without: (name) => {
      const member = find(name);
      if (!root || !holder || !container || !member) return [given];
      const isOnly = membersOf(container).length === 1;
      const isAlone = isOnly && membersOf(root).length === 1;
      return [
        ...withoutMember(text, container, member, style),
        ...(isOnly ? withoutMember(text, root, holder, style) : []),
        ...(isAlone ? withoutRoot(text, root, style) : []),
      ].map((edits) => apply(edits));
    },
  };
}

function replaceValue(text: string, { start, value }: Member, entry: Entry, style: JsonStyle): Edit {
  const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const source = text.slice(value.offset, value.offset + value.length);
  const isOneLine = !source.includes("\n") && (line.trim() !== "" || membersOf(value).length > 0);
  const printed = printValue(entry, isOneLine ? undefined : indent, style);
  return { from: value.offset, to: value.offset + value.length, text: printed };
}

/** A document after the text of an empty one, which may have white space and comments. */
function newDocument(text: string, servers: string, value: Entry, style: JsonStyle): string {
  const { unit, eol } = style;
  const document = `{${eol}${unit}${printMember(servers, value, unit, style)}${eol}}`;
  if (text.trim() === "") return `${document}${text === "" ? eol : text}`;
  return `${text}${text.endsWith("\n") ? "" : eol}${document}${eol}`;
}

/** The edits that remove the document, with and without the line breaks around it. */
function withoutRoot(text: string, { offset, length }: Node, { eol }: JsonStyle): readonly (readonly Edit[])[] {
  const end = offset + length;
  const after = text.startsWith(eol, end) ? end + eol.length : end;
  const before = text.slice(0, offset).endsWith(eol) ? offset - eol.length : offset;
  return [
    [{ from: offset, to: after, text: "" }],
    [{ from: offset, to: end, text: "" }],
    [{ from: before, to: after, text: "" }],
  ];
}
