import { Node, type CallExpression } from "ts-morph";
import { type FileRewriter, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Functions of the official SDK that are one expression. */
const expressions: Readonly<Record<string, (argument: string, rewriter: FileRewriter) => string>> = {
  isJsonContentType: (type, rewriter) => {
    const [none, end, json] = ["", ";", "application/json"].map((one) => rewriter.string(one));
    return `(${type} ?? ${none}).split(${end})[0]?.trim().toLowerCase() === ${json}`;
  },
};

/** Writes out functions that are too small for a counterpart. */
export const smallFunctions: Rule = {
  id: "small-functions",
  summary: "`isJsonContentType(type)` becomes a comparison.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const name = rewriter.officialName(node.getExpression()) ?? "";
      const [argument, ...others] = node.getArguments();
      const expression = Object.hasOwn(expressions, name) ? expressions[name] : undefined;
      if (!expression || !argument || others.length > 0) return;
      const text = expression(argument.getText(), rewriter);
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
