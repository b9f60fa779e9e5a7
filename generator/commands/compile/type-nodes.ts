import { Node, type TypeAliasDeclaration, type Type } from "ts-morph";

/** The type as it is written for a member or parameter. */
export function writtenType(node: Node): Node | undefined {
  return Node.isTyped(node) ? node.getTypeNode() : undefined;
}

/**
 * The alias that a place names, whose doc comment counts where it is used: beside null and undefined too. Aliases of
 * objects are found by the type itself.
 * @param lose is called with each alias in a union of several, where its doc comment would count for all of them
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
  // A mapped type may have given the member another type than the one that is written there.
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
