import { Node, type TypeAliasDeclaration, type Type } from "ts-morph";

/** The type node of a member or parameter. */
export function writtenType(node: Node): Node | undefined {
  return Node.isTyped(node) ? node.getTypeNode() : undefined;
}

/**
 * The alias at a place, whose doc comment applies there, also in a union with null and undefined. Aliases of objects are
 * found by the type.
 * @param lose called with each alias in a union of several types, whose doc comment would apply to all of them
 */
export function aliasAt(
  node: Node,
  type: Type,
  lose: (alias: TypeAliasDeclaration) => void,
): TypeAliasDeclaration | undefined {
  const reference = writtenType(node) ?? node;
  if (Node.isUnionTypeNode(reference)) {
    const parts = reference.getTypeNodes().filter((part) => !/^(null|undefined)$/.test(part.getText()));
    const [only, ...others] = parts;
    if (only && others.length === 0) return aliasAt(only, type, lose);
    for (const part of parts) {
      const alias = aliasAt(part, type, lose);
      if (alias) lose(alias);
    }
    return undefined;
  }
  if (Node.isParenthesizedTypeNode(reference)) return aliasAt(reference.getTypeNode(), type, lose);
  if (!Node.isTypeReference(reference) || reference.getTypeArguments().length > 0) return undefined;
  const symbol = reference.getTypeName().getSymbol();
  const target = symbol?.getAliasedSymbol() ?? symbol;
  const alias = target?.getDeclarations().find((one) => Node.isTypeAliasDeclaration(one));
  if (!alias || alias.getType().isObject() || alias.getType().isIntersection()) return undefined;
  // A mapped type may have changed the type of the member.
  const parts = type.isUnion() ? type.getUnionTypes() : [type];
  const own = alias.getType();
  const wanted = own.isUnion() ? own.getUnionTypes() : [own];
  const isPart = wanted.every((one) => parts.some((part) => part.compilerType === one.compilerType));
  return isPart ? alias : undefined;
}

/** The type of the items of an array. */
export function elementNode(node: Node): Node {
  if (Node.isArrayTypeNode(node)) return node.getElementTypeNode();
  if (Node.isTypeOperatorTypeNode(node)) return elementNode(node.getTypeNode());
  if (Node.isTypeReference(node)) return node.getTypeArguments()[0] ?? node;
  return node;
}

/** The types of the elements of a tuple. */
export function tupleNodes(node: Node): readonly Node[] {
  if (Node.isTypeOperatorTypeNode(node)) return tupleNodes(node.getTypeNode());
  if (!Node.isTupleTypeNode(node)) return [];
  return node.getElements().map((element) => {
    const inner = Node.isNamedTupleMember(element) ? element.getTypeNode() : element;
    return Node.isRestTypeNode(inner) ? elementNode(inner.getTypeNode()) : inner;
  });
}

/** The type of the members of a record, or of an index signature. */
export function valueNode(node: Node, type: Type): Node {
  if (Node.isTypeReference(node) && node.getTypeName().getText() === "Record")
    return node.getTypeArguments()[1] ?? node;
  for (const declaration of (type.getSymbol() ?? type.getAliasSymbol())?.getDeclarations() ?? []) {
    if (!Node.isTypeElementMembered(declaration)) continue;
    const [signature] = declaration.getIndexSignatures();
    if (signature) return signature.getReturnTypeNode() ?? signature;
  }
  return node;
}
