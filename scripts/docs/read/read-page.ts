import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";
import { headingAnchor, splitStatedAnchor } from "./heading-anchor.js";
import type { CodeBlock, Heading, Link, Page, Section, Table } from "./page.js";

const markdown = new MarkdownIt({ html: true });
// Targets stay as they are written.
markdown.normalizeLink = (target) => target;

/** Reads a Markdown page. @param file its path from the root of the repository */
export function readPage(file: string, text: string): Page {
  const source = withoutFrontMatter(text.replaceAll("\r\n", "\n"));
  const lines = source.split("\n");
  const starts = lineStarts(lines);
  const headings: Heading[] = [];
  const blocks: CodeBlock[] = [];
  const tables: Table[] = [];
  const links: Link[] = [];
  const strayAsterisks: number[] = [];
  const ids = new Set<string>();
  const anchors = new Set<string>();
  const tokens = markdown.parse(source, {});

  let block = 1;
  // Tables state no lines for their cells: links are searched from the last one on.
  let searched = 0;
  const addLink = (target: string): void => {
    const start = starts[block - 1] ?? 0;
    const found = source.indexOf(target, Math.max(start, searched));
    if (found !== -1) searched = found + target.length;
    links.push({ line: found === -1 ? block : lineAt(starts, found, block), target });
  };
  const addHtml = (html: string): void => {
    for (const [, name, value = ""] of html.matchAll(/\s(id|name|href|src|srcset)="([^"]*)"/g))
      if (name === "id" || name === "name") ids.add(value);
      else addLink(value);
  };

  for (const [index, token] of tokens.entries()) {
    if (token.map !== null) block = token.map[0] + 1;
    if (token.type === "heading_open") {
      const { text: shown, stated } = splitStatedAnchor(plainText(tokens[index + 1]));
      const anchor = stated ?? unique(headingAnchor(shown), anchors);
      anchors.add(anchor);
      const level = Number(token.tag.slice(1));
      headings.push({ line: block, level, text: shown, anchor, statesAnchor: stated !== undefined });
    } else if (token.type === "fence" || token.type === "code_block") {
      blocks.push({ line: block, language: token.info.trim().split(/[\s{]/)[0] ?? "", code: token.content });
    } else if (token.type === "table_open") {
      tables.push({ line: block, ...tableSize(tokens, index) });
    } else if (token.type === "html_block") {
      addHtml(token.content);
    } else if (token.type === "inline") {
      for (const child of token.children ?? []) {
        if (child.type === "text" && /\*\*(?=\S)|(?<=\S)\*\*/.test(child.content)) strayAsterisks.push(block);
        if (child.type === "link_open") addLink(child.attrGet("href") ?? "");
        else if (child.type === "image") addLink(child.attrGet("src") ?? "");
        else if (child.type === "html_inline") addHtml(child.content);
      }
    }
  }
  return {
    file,
    lineCount: lines.at(-1) === "" ? lines.length - 1 : lines.length,
    headings,
    blocks,
    tables,
    links,
    strayAsterisks,
    anchors: new Set([...anchors, ...ids]),
    sections: sectionsOf(lines, headings),
  };
}

/** Replaces front matter by empty lines, so that the lines after it keep their numbers. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n[^]*?\n---(?=\n)/, (found) => found.replace(/[^\n]/g, ""));
}

function plainText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === "text" || type === "code_inline" || type === "text_special" ? content : ""))
    .join("");
}

/** Numbers repeated anchors as GitHub does. */
function unique(anchor: string, used: ReadonlySet<string>): string {
  let free = anchor;
  for (let number = 1; used.has(free); number++) free = `${anchor}-${number}`;
  return free;
}

function tableSize(tokens: readonly Token[], open: number): { rows: number; columns: number } {
  const close = tokens.findIndex(({ type }, index) => index > open && type === "table_close");
  const inside = tokens.slice(open, close);
  return {
    rows: inside.filter(({ type }) => type === "tr_open").length,
    columns: inside.filter(({ type }) => type === "th_open").length,
  };
}

function sectionsOf(lines: readonly string[], headings: readonly Heading[]): readonly Section[] {
  const starts = [{ line: 1, anchor: "" }, ...headings.slice(1)];
  return starts.map(({ line, anchor }, index) => ({
    line,
    anchor,
    text: lines.slice(line - 1, (starts[index + 1]?.line ?? lines.length + 1) - 1).join("\n"),
  }));
}

/** Where each line starts. */
function lineStarts(lines: readonly string[]): readonly number[] {
  let next = 0;
  return lines.map((line) => {
    const start = next;
    next += line.length + 1;
    return start;
  });
}

/** The line of an offset, at or after another line. */
function lineAt(starts: readonly number[], offset: number, from: number): number {
  let line = from;
  while ((starts[line] ?? Infinity) <= offset) line++;
  return line;
}
