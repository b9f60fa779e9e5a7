import { type Expression, Node, VariableDeclarationKind } from "ts-morph";
import { referencesIn } from "../file-rewriter.js";
import { isChanged } from "./changes.js";

/** The value of a variable that is assigned only where it is declared; undefined for others. */
export function onlyValue(declaration: Node | undefined): Expression | undefined {
  if (!Node.isVariableDeclaration(declaration)) return undefined;
  const name = declaration.getNameNode();
  const isSetAgain =
    Node.isIdentifier(name) &&
    declaration.getVariableStatement()?.getDeclarationKind() !== VariableDeclarationKind.Const &&
    referencesIn(declaration.getSourceFile(), name).some(isChanged);
  return isSetAgain ? undefined : declaration.getInitializer();
}

/** The variable that an identifier names, also one of another file. */
export function declarationOf(node: Node): Node | undefined {
  const symbol = node.getSymbol();
  return (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
}
