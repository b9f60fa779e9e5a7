import { type Expression, Node, VariableDeclarationKind } from "ts-morph";
import { referencesIn } from "../file-rewriter.js";

/** The value of a variable that is assigned only where it is declared; undefined for others. */
export function onlyValue(declaration: Node | undefined): Expression | undefined {
  if (!Node.isVariableDeclaration(declaration)) return undefined;
  const name = declaration.getNameNode();
  const isAssigned =
    Node.isIdentifier(name) &&
    declaration.getVariableStatement()?.getDeclarationKind() !== VariableDeclarationKind.Const &&
    referencesIn(declaration.getSourceFile(), name).some(isAssignment);
  return isAssigned ? undefined : declaration.getInitializer();
}

function isAssignment(reference: Node): boolean {
  const parent = reference.getParent();
  return (
    Node.isBinaryExpression(parent) &&
    parent.getLeft() === reference &&
    /^(?:=|\?\?=|\|\|=|&&=)$/.test(parent.getOperatorToken().getText())
  );
}

/** The variable that an identifier names, also one of another file. */
export function declarationOf(node: Node): Node | undefined {
  const symbol = node.getSymbol();
  return (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
}
