import { Node, type JSDocableNode } from "ts-morph";
import { paragraph } from "../../pipeline/read/comment.js";
import type { DocTag } from "./doc-tag.js";
import { memberTags } from "./constraint-tags.js";
import { toolHints } from "./tool-hints.js";

/** The content of a doc comment. */
export interface DocComment {
  readonly text: string;
  readonly tags: readonly DocTag[];
}

const noDoc: DocComment = { text: "", tags: [] };

const toolTags = ["tool", ...Object.keys(toolHints)];
const afterSentence = "[.!?。！？][)\"'`]*";
const afterTag = `(?:^|\\s)${tagOf([...toolTags, ...memberTags])}.*`;

/**
 * The beginning of a tag within a line. Unknown tags may be part of the text. So may tool tags, because models see and trust
 * them: they must follow a sentence or another tag.
 */
const tagInside = new RegExp(
  `\\s+(?=${tagOf(memberTags)})|(?<=${afterSentence}|${afterTag})\\s+(?=${tagOf(toolTags)})`,
);

/**
 * Reads the doc comment of a declaration. Tags are read from the text, because the compiler looks for types and links in
 * them and would split regular expressions.
 */
export function readDocComment(node: Node | undefined): DocComment {
  const holder = node && Node.isVariableDeclaration(node) ? node.getVariableStatement() : node;
  const comment = holder && hasDocs(holder) ? (holder.getJsDocs().at(-1)?.getText() ?? beside(holder)) : undefined;
  if (comment === undefined) return noDoc;
  const lines = comment
    .slice("/**".length, -"*/".length)
    // The only way to write `*/` inside a comment.
    .replaceAll("*\\/", "*/")
    .split(/\r?\n/)
    .flatMap((line) =>
      line
        .replace(/^\s*\*? ?/, "")
        .trimEnd()
        .split(tagInside),
    );
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

/** A doc comment on the same line, which the compiler does not see behind a brace or another member. */
function beside(node: Node): string | undefined {
  const between = node.getSourceFile().getFullText().slice(node.getPos(), node.getStart());
  return /^(\/\*\*[^]*?\*\/)[^\S\n]*$/.exec(between.slice(between.lastIndexOf("/**")))?.[1];
}

function tagOf(names: readonly string[]): string {
  return `@(?:${names.join("|")})(?=\\s|$)`;
}

function hasDocs(node: Node): node is Node & JSDocableNode {
  return Node.isJSDocable(node);
}
