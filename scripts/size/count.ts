import { format } from "prettier";
import ts from "typescript";
import type { Source } from "./source.js";

export interface Count {
  readonly path: string;
  /** Lines with code after reflowing to 100 columns, without blank lines and comments. */
  readonly lines: number;
  /** Tokens of the TypeScript scanner, without comments. */
  readonly tokens: number;
  /** Lines of the file before reflowing. */
  readonly written: number;
  /** False for templates that are not TypeScript until they are filled: their lines are counted without reflowing. */
  readonly reflowed: boolean;
}

/** Counts the TypeScript of a source. In a template, values that are filled in are not counted. */
export async function count({ path, text }: Source): Promise<Count> {
  const code = path.endsWith(".hbs") ? withoutMustaches(text) : text;
  const file = parse(code);
  const formatted = await reflow(code);
  const { lines } = measure(formatted === undefined ? file : parse(formatted));
  const written = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { path, lines, tokens: measure(file).tokens, written, reflowed: formatted !== undefined };
}

async function reflow(code: string): Promise<string | undefined> {
  try {
    return await format(code, { parser: "typescript", printWidth: 100 });
  } catch {
    return undefined;
  }
}

/** Removes lines that contain only template logic, and replaces each value that is filled in by one name. */
function withoutMustaches(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      /^\s*(\{\{~?[#/!^]?[^{}]*\}\}\s*)+$/.test(line) ? "" : line.replaceAll(/\{\{[^{}]*\}\}/g, "filled"),
    )
    .join("\n");
}

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile("counted.ts", code, ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS);
}

/** The leaves of the syntax tree: the scanner's tokens, as the parser resolves `/`, `>` and template strings. */
function measure(file: ts.SourceFile): { readonly lines: number; readonly tokens: number } {
  const lines = new Set<number>();
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    children.forEach(visit);
    const start = node.getStart(file);
    if (children.length > 0 || start === node.end) return;
    tokens++;
    const last = file.getLineAndCharacterOfPosition(node.end).line;
    for (let line = file.getLineAndCharacterOfPosition(start).line; line <= last; line++)
      if (!isBlank(file, line)) lines.add(line);
  };
  visit(file);
  return { lines: lines.size, tokens };
}

/** Template strings can contain blank lines. */
function isBlank(file: ts.SourceFile, line: number): boolean {
  const starts = file.getLineStarts();
  return file.text.slice(starts[line], starts[line + 1]).trim() === "";
}
