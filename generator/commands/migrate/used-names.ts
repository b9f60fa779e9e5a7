import { Node } from "ts-morph";

/** Whether an identifier in `scope` has a name, other than as the name of a member. */
export function usesName(scope: Node, name: string): boolean {
  return scope.getDescendants().some((one) => Node.isIdentifier(one) && one.getText() === name && !isMember(one));
}

function isMember(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isPropertyAccessExpression(parent)) return parent.getNameNode() === node;
  if (Node.isQualifiedName(parent)) return parent.getRight() === node;
  return (Node.isPropertyAssignment(parent) || Node.isPropertySignature(parent)) && parent.getNameNode() === node;
}
