import { Node } from "ts-morph";

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
