import { Node } from "ts-morph";
import type { Edit } from "../file-rewriter.js";
import { onlyValue } from "./only-value.js";

/** The parts of `{ method, params }`, as source text. */
export interface MessageParts {
  readonly method: string;
  readonly params: string | undefined;
  /** The value of a literal method. */
  readonly name: string | undefined;
}

/** Splits an object literal of a message; undefined if it is something else, or has other members. */
export function messageParts(node: Node | undefined): MessageParts | undefined {
  if (!Node.isObjectLiteralExpression(node)) return undefined;
  const parts: { method?: string; params?: string; name?: string } = {};
  for (const member of node.getProperties()) {
    const isShorthand = Node.isShorthandPropertyAssignment(member);
    if (!isShorthand && !Node.isPropertyAssignment(member)) return undefined;
    const value = isShorthand ? member.getNameNode() : member.getInitializerOrThrow();
    const name = member.getName();
    if (name !== "method" && name !== "params") return undefined;
    parts[name] = value.getText();
    const plain = Node.isAsExpression(value) ? value.getExpression() : value;
    if (name === "method" && Node.isStringLiteral(plain))
      [parts.name, parts.method] = [plain.getLiteralValue(), plain.getText()];
  }
  return parts.method === undefined ? undefined : { method: parts.method, params: parts.params, name: parts.name };
}

/** `method, params` as arguments. */
export function messageArguments({ method, params }: MessageParts): string {
  return params === undefined ? method : `${method}, ${params}`;
}

/** A message in a constant: its method is known, its params are a member of the constant. */
export function constantMessage(
  node: Node | undefined,
): { readonly parts: MessageParts; readonly type: Edit | undefined } | undefined {
  if (!Node.isIdentifier(node)) return undefined;
  const declaration = node.getSymbol()?.getValueDeclaration();
  if (!Node.isVariableDeclaration(declaration) || declaration.getSourceFile() !== node.getSourceFile())
    return undefined;
  const parts = messageParts(onlyValue(declaration));
  if (!parts) return undefined;
  const annotation = declaration.getTypeNode();
  const type = annotation && { start: declaration.getNameNode().getEnd(), end: annotation.getEnd(), text: "" };
  return { parts: { ...parts, params: parts.params && `${node.getText()}.params` }, type };
}
