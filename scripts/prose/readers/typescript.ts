import ts from "typescript";
import { mask, type Passage } from "../passage.js";
import { maskMarkup } from "./markdown.js";

export interface TypeScriptOptions {
  /** Whether to read strings and templates that look like sentences, and not only comments and test titles. */
  readonly strings: boolean;
}

/** Reads comments, test titles and, if requested, strings that look like sentences. */
export function readTypeScript(text: string, { strings }: TypeScriptOptions): readonly Passage[] {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, false);
  const found: Passage[] = [];
  const titles = new Set<ts.Node>();
  /** Tokens for which the scanner needs the parser: regular expressions, and the text after `}` in a template. */
  const rescanned = new Set<number>();

  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) || ts.isTemplateMiddleOrTemplateTail(node))
      rescanned.add(node.getStart(source));
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title) titles.add(title);
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isText(node) && (strings || titles.has(node))) {
      const passage = passageOf(node, source);
      if (titles.has(node)) found.push({ ...passage, isTitle: true });
      else if (isSentence(passage.text)) found.push(passage);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...commentsIn(text, rescanned), ...found];
}

/** Whether the callee is `test`, `it` or `describe`, or is derived from them, such as `test.each(rows)`. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) return isTest(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return isTest(callee.tag);
  return ts.isIdentifier(callee) && ["test", "it", "describe"].includes(callee.text);
}

function isText(node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
}

/** The source between the quotes. Values that a template inserts are masked as code. */
function passageOf(node: ts.Node, source: ts.SourceFile): Passage {
  const start = node.getStart(source) + 1;
  let text = source.text.slice(start, node.getEnd() - 1);
  if (ts.isTemplateExpression(node))
    for (const { expression } of node.templateSpans) {
      const [from, to] = [expression.pos - 2 - start, expression.end + 1 - start];
      text = text.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, "0") + text.slice(to);
    }
  return { start, text: maskMarkup(text.replace(/\\[nrt]/g, "\n\n").replace(/\\(?=["'`\\])/g, " ")) };
}

/** Whether a string contains at least three words in a row. */
function isSentence(text: string): boolean {
  return /[A-Za-z0]+,? [A-Za-z0-]+,? [A-Za-z0]+/.test(text);
}

function commentsIn(text: string, rescanned: ReadonlySet<number>): readonly Passage[] {
  const comments: Passage[] = [];
  let lastLine: { readonly from: number; to: number } | undefined;
  const endLines = (): void => {
    if (lastLine) comments.push(commentOf(text, lastLine.from, lastLine.to));
    lastLine = undefined;
  };
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const from = scanner.getTokenStart();
    if (rescanned.has(from))
      kind = kind === ts.SyntaxKind.CloseBraceToken ? scanner.reScanTemplateToken(false) : scanner.reScanSlashToken();
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      if (lastLine) lastLine.to = scanner.getTokenEnd();
      else lastLine = { from, to: scanner.getTokenEnd() };
    } else if (kind !== ts.SyntaxKind.WhitespaceTrivia && kind !== ts.SyntaxKind.NewLineTrivia) {
      endLines();
      if (kind === ts.SyntaxKind.MultiLineCommentTrivia) comments.push(commentOf(text, from, scanner.getTokenEnd()));
    }
  }
  endLines();
  return comments;
}

function commentOf(text: string, from: number, to: number): Passage {
  let comment = mask(text.slice(from, to), /^\/\*\*?|\*\/$|^[ \t]*\*(?!\/)|^[ \t]*\/\/+/gm);
  comment = mask(comment, /\beslint-(?:disable|enable)\S*[^\n]*?(?=--|$)|@ts-[a-z-]+/gm);
  comment = mask(comment, /(?<=@example\b)[^]*?(?=\n\s*@[a-z]+\b|(?![^]))/g);
  return { start: from, text: maskMarkup(mask(comment, /\{@link[^}]*\}/g, "0")) };
}
