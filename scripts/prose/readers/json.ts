import ts from "typescript";
import type { Passage } from "../passage.js";
import { maskMarkup } from "./markdown.js";

/** Reads the values of a JSON file that have several words. */
export function readJson(text: string): readonly Passage[] {
  const source = ts.parseJsonText("file.json", text);
  const passages: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) return visit(node.initializer);
    if (ts.isStringLiteral(node) && node.text.split(" ").length > 2) {
      const start = node.getStart(source) + 1;
      const raw = text.slice(start, node.getEnd() - 1);
      passages.push({ start, text: maskMarkup(raw.replace(/\\n/g, "\n\n").replace(/\\(?=["\\])/g, " ")) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return passages;
}
