import { Node, type JSDocableNode } from "ts-morph";
import { paragraph } from "../read/comment.js";

/** A tag of a doc comment. */
export interface DocTag {
  readonly name: string;
  readonly text: string;
}

/** What a doc comment says. */
export interface Doc {
  readonly text: string;
  readonly tags: readonly DocTag[];
}

const noDoc: Doc = { text: "", tags: [] };

/**
 * Reads the doc comment of a declaration. Tags are read from the text itself: the compiler looks for types and links in
 * them, and would take regular expressions apart.
 */
export function docOf(node: Node | undefined): Doc {
  const holder = node && Node.isVariableDeclaration(node) ? node.getVariableStatement() : node;
  const comment = holder && hasDocs(holder) ? holder.getJsDocs().at(-1)?.getText() : undefined;
  if (comment === undefined) return noDoc;
  const lines = comment
    .slice("/**".length, -"*/".length)
    // The only way to write the end of a comment in one.
    .replaceAll("*\\/", "*/")
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());
  const text: string[] = [];
  const tags: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    const [, name, rest = ""] = /^\s*@([A-Za-z][\w-]*)\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) tags.push({ name, lines: [rest] });
    else (tags.at(-1)?.lines ?? text).push(line);
  }
  return {
    text: paragraph(text),
    tags: tags.map(({ name, lines }) => ({ name, text: lines.join("\n").trim() })),
  };
}

function hasDocs(node: Node): node is Node & JSDocableNode {
  return Node.isJSDocable(node);
}
