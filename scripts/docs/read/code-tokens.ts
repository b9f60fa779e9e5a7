import ts from "typescript";

const typescript = new Map([
  ["js", "a.js"],
  ["javascript", "a.js"],
  ["mjs", "a.js"],
  ["jsx", "a.jsx"],
  ["ts", "a.ts"],
  ["typescript", "a.ts"],
  ["tsx", "a.tsx"],
]);
const hashComments =
  /^(?:sh|bash|shell|console|yaml|yml|toml|ini|dockerfile|docker|makefile|nginx|properties|python|py|ruby|dotenv|env|caddyfile)$/i;

/** The parts of a code block that must be equal in all languages: tokens or lines without comments, or the text itself. */
export function codeTokens(language: string, code: string): readonly string[] {
  const name = typescript.get(language.toLowerCase());
  if (name !== undefined) return typescriptTokens(name, code);
  if (/^json[c5]$/i.test(language)) return jsonTokens(code);
  if (hashComments.test(language)) return linesWithoutHashComments(code);
  if (/^(?:html|xml|svg|vue)$/i.test(language)) return significantLines(code.replace(/<!--[^]*?-->/g, ""));
  if (/^css$/i.test(language)) return significantLines(code.replace(/\/\*[^]*?\*\//g, ""));
  return code.split("\n");
}

function typescriptTokens(name: string, code: string): readonly string[] {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true);
  const tokens: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    if (children.length === 0 && node.getText(file) !== "") tokens.push(node.getText(file));
    for (const child of children) visit(child);
  };
  visit(file);
  return tokens;
}

function jsonTokens(code: string): readonly string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, code);
  const tokens: string[] = [];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) tokens.push(scanner.getTokenText());
  return tokens;
}

function linesWithoutHashComments(code: string): readonly string[] {
  return significantLines(code.replace(/^.*$/gm, withoutHashComment));
}

/** A `#` begins a comment at the start of a line or after a blank, outside of quotes that end in the line. */
function withoutHashComment(line: string): string {
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (character === "#" && /^\s?$/.test(line.charAt(index - 1))) return line.slice(0, index);
    const end = character === '"' || character === "'" ? line.indexOf(character, index + 1) : -1;
    if (end !== -1) index = end;
  }
  return line;
}

/** The lines that are not empty, without the blanks at their ends. */
function significantLines(code: string): readonly string[] {
  return code
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}
