import { Node, ts } from "ts-morph";
import { describe, unsupported, type Locate } from "./unsupported.js";

export function readLiteral(node: Node, span: Locate): string | number | boolean {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralValue();
  if (Node.isNumericLiteral(node)) return readNumber(node.compilerNode.text, node, span);
  if (Node.isTrueLiteral(node)) return true;
  if (Node.isFalseLiteral(node)) return false;
  if (Node.isPrefixUnaryExpression(node) && node.getOperatorToken() === ts.SyntaxKind.MinusToken) {
    const operand = node.getOperand();
    if (Node.isNumericLiteral(operand)) return -readNumber(operand.compilerNode.text, node, span);
  }
  return unsupported(node, describe(node), span);
}

function readNumber(text: string, node: Node, span: Locate): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : unsupported(node, "a number that is too large for JSON", span);
}
