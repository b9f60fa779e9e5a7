import { Node, type CallExpression } from "ts-morph";
import { replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Writes out functions that are too small for a counterpart. */
export const smallFunctions: Rule = {
  id: "small-functions",
  summary: "`isJsonContentType(type)` becomes a comparison.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const [type, ...others] = node.getArguments();
      if (rewriter.officialName(node.getExpression()) !== "isJsonContentType" || !type || others.length > 0) return;
      const [none, end, json] = ["", ";", "application/json"].map((one) => rewriter.string(one));
      const text = `(${type.getText()} ?? ${none}).split(${end})[0]?.trim().toLowerCase() === ${json}`;
      rewriter.change(replaced(node, isWhole(node) ? text : `(${text})`));
    });
  },
};

/** Whether an expression needs no parentheses at a place. */
function isWhole(call: CallExpression): boolean {
  const parent = call.getParent();
  return (
    (Node.isCallExpression(parent) && parent.getExpression() !== call) ||
    Node.isVariableDeclaration(parent) ||
    Node.isIfStatement(parent) ||
    Node.isReturnStatement(parent)
  );
}
