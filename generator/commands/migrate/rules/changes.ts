import { type Expression, Node, SyntaxKind } from "ts-morph";

/** What a node assigns to, counts up or down, or deletes; undefined for other nodes. */
export function changedBy(node: Node | undefined): Expression | undefined {
  if (Node.isPostfixUnaryExpression(node)) return node.getOperand();
  if (Node.isDeleteExpression(node)) return node.getExpression();
  if (Node.isPrefixUnaryExpression(node)) return /^(?:\+\+|--)/.test(node.getText()) ? node.getOperand() : undefined;
  if (!Node.isBinaryExpression(node)) return undefined;
  const operator = node.getOperatorToken().getKind();
  return operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment ? node.getLeft() : undefined;
}

/** Whether a variable gets another value where it is named. */
export function isChanged(name: Node): boolean {
  return changedBy(name.getParent()) === name;
}

/** The expression that a chain of members, calls and operators starts with: `open` of `open.get(id)!.close()`. */
export function rootOf(node: Node): Node {
  if (
    Node.isPropertyAccessExpression(node) ||
    Node.isElementAccessExpression(node) ||
    Node.isCallExpression(node) ||
    Node.isNonNullExpression(node) ||
    Node.isParenthesizedExpression(node) ||
    Node.isAwaitExpression(node) ||
    Node.isAsExpression(node)
  )
    return rootOf(node.getExpression());
  return node;
}
