import { mask, type Passage } from "../passage.js";
import { readMarkdown } from "./markdown.js";
import { readTypeScript } from "./typescript.js";

/** Reads a template with the reader of the file that it prints. Each inserted value is read as a name. */
export function readHandlebars(text: string, path: string): readonly Passage[] {
  const comments = Array.from(
    text.matchAll(/\{\{!(?:--)?([^]*?)(?:--)?\}\}/g),
    ({ 0: whole, 1: comment = "", index }) => ({
      start: index + whole.indexOf(comment),
      text: comment,
    }),
  );
  const withoutBlocks = mask(text, /\{\{~?[!#/>][^]*?\}\}|\{\{~?else[^}]*\}\}/g);
  const file = withoutBlocks.replace(/\{\{[^]*?\}\}+/g, (code) => code.replace(/[^\n]/g, "_"));
  return [...comments, ...readAround(file, path.replace(/\.hbs$/, ""))];
}

function readAround(text: string, path: string): readonly Passage[] {
  if (path.endsWith(".md")) return readMarkdown(text);
  if (/\.[jt]s$/.test(path)) return readTypeScript(text, { strings: true });
  return [{ start: 0, text }];
}
