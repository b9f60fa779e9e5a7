import { Node, ts, type TypeElementMemberedNode, type TypeNode } from "ts-morph";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { printType } from "../../shared/model/print-type-expression.js";
import type { Heritage, Member, TypeExpression, UtilityName } from "../../shared/model/source.js";
import { applyFormatInt } from "./format-int.js";
import { readDoc } from "./doc.js";
import { readLiteral } from "./literals.js";
import { readTemplate } from "./template.js";
import { describe, unsupported, type Locate } from "./unsupported.js";

/** Where a type is. */
export interface Place {
  /** The declaration around it. */
  readonly owner: string;
  /** The type parameters of that declaration. */
  readonly parameters: ReadonlySet<string>;
  readonly span: Locate;
}

const keywords = new Map<ts.SyntaxKind, "string" | "number" | "boolean" | "unknown" | "any" | "object" | "never">([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
  [ts.SyntaxKind.UnknownKeyword, "unknown"],
  [ts.SyntaxKind.AnyKeyword, "any"],
  [ts.SyntaxKind.ObjectKeyword, "object"],
  [ts.SyntaxKind.NeverKeyword, "never"],
]);

export function readType(node: TypeNode, place: Place): TypeExpression {
  const { span } = place;
  const keyword = keywords.get(node.getKind());
  if (keyword) return { kind: "primitive", name: keyword };
  if (Node.isParenthesizedTypeNode(node)) return readType(node.getTypeNode(), place);
  if (Node.isArrayTypeNode(node)) return { kind: "array", items: readType(node.getElementTypeNode(), place) };
  if (Node.isUnionTypeNode(node))
    return { kind: "union", members: node.getTypeNodes().map((member) => readType(member, place)) };
  if (Node.isIntersectionTypeNode(node))
    return { kind: "intersection", members: node.getTypeNodes().map((member) => readType(member, place)) };
  if (Node.isTypeLiteral(node)) return { kind: "object", ...readBody(node, place) };
  if (Node.isTypeQuery(node)) return { kind: "constant", name: node.getExprName().getText(), span: span(node) };
  if (Node.isLiteralTypeNode(node)) {
    const literal = node.getLiteral();
    if (Node.isNullLiteral(literal)) return { kind: "primitive", name: "null" };
    return { kind: "literal", value: readLiteral(literal, span) };
  }
  if (Node.isTemplateLiteralTypeNode(node)) return readTemplate(node, span);
  if (Node.isIndexedAccessTypeNode(node))
    return {
      kind: "indexed",
      of: readType(node.getObjectTypeNode(), place),
      key: readType(node.getIndexTypeNode(), place),
      span: span(node),
    };
  if (Node.isTypeOperatorTypeNode(node)) {
    // JSON has no values that cannot be changed.
    if (node.getOperator() === ts.SyntaxKind.ReadonlyKeyword) return readType(node.getTypeNode(), place);
    if (node.getOperator() === ts.SyntaxKind.KeyOfKeyword)
      return { kind: "keyof", of: readType(node.getTypeNode(), place), span: span(node) };
  }
  if (Node.isTypeReference(node)) {
    const name = node.getTypeName();
    if (!Node.isIdentifier(name)) return unsupported(name, `the qualified name ${name.getText()}`, span);
    return readNamed(name.getText(), node.getTypeArguments(), node, place);
  }
  return unsupported(node, describe(node), span);
}

/** A name with or without type arguments. */
function readNamed(name: string, args: readonly TypeNode[], node: Node, place: Place): TypeExpression {
  const { span, parameters } = place;
  if (parameters.has(name)) return { kind: "parameter", name, span: span(node) };
  const [first, second] = args;
  if (!first) return { kind: "reference", name, span: span(node) };
  switch (name) {
    case "Array":
    case "ReadonlyArray":
      if (!second) return { kind: "array", items: readType(first, place) };
      break;
    case "Readonly":
      if (!second) return readType(first, place);
      break;
    case "Partial":
    case "Required":
      if (!second) return { kind: "utility", name, of: readType(first, place), span: span(node) };
      break;
    case "Record":
      if (second && args.length === 2) return readRecord(first, second, place);
      break;
    case "Pick":
    case "Omit":
      if (second && args.length === 2) return readSelection(name, first, second, node, place);
      break;
    default:
      if (!globals.has(name))
        return { kind: "reference", name, arguments: args.map((arg) => readType(arg, place)), span: span(node) };
  }
  return unsupported(node, `the generic type ${name}`, span);
}

/** Generic types of TypeScript's own library that no schema can declare or have values of. */
const globals: ReadonlySet<string> = new Set(
  "Promise PromiseLike Map ReadonlyMap Set ReadonlySet WeakMap WeakSet Exclude Extract NonNullable Parameters ReturnType Awaited InstanceType ConstructorParameters ThisType Uppercase Lowercase Capitalize Uncapitalize NoInfer".split(
    " ",
  ),
);

function readRecord(keys: TypeNode, values: TypeNode, place: Place): TypeExpression {
  const key = readType(keys, place);
  const { type, isOptional } = readPossiblyAbsent(values, place);
  if (key.kind === "primitive" && key.name === "string") return { kind: "record", values: type };
  return { kind: "record", keys: key, values: type, ...(isOptional && { isOptional }), span: place.span(keys) };
}

/** `Omit` of a declared type, the usual case, has an expression of its own. */
function readSelection(
  name: UtilityName & ("Pick" | "Omit"),
  target: TypeNode,
  keys: TypeNode,
  node: Node,
  place: Place,
): TypeExpression {
  const of = readType(target, place);
  const key = readType(keys, place);
  const listed = (key.kind === "union" ? key.members : [key]).map((member) =>
    member.kind === "literal" && typeof member.value === "string" ? member.value : undefined,
  );
  const span = place.span(node);
  if (name === "Omit" && of.kind === "reference" && !of.arguments && listed.every((value) => value !== undefined))
    return { kind: "omit", name: of.name, keys: listed, span };
  return { kind: "utility", name, of, keys: key, span };
}

/** JSON has no `undefined`: a member or entry that may be undefined may be absent. */
function readPossiblyAbsent(
  node: TypeNode,
  place: Place,
): { readonly type: TypeExpression; readonly isOptional?: true } {
  if (Node.isParenthesizedTypeNode(node)) return readPossiblyAbsent(node.getTypeNode(), place);
  const isUndefined = (part: TypeNode): boolean => part.getKind() === ts.SyntaxKind.UndefinedKeyword;
  if (isUndefined(node)) return { type: { kind: "primitive", name: "never" }, isOptional: true };
  if (!Node.isUnionTypeNode(node) || !node.getTypeNodes().some(isUndefined)) return { type: readType(node, place) };
  const members = node.getTypeNodes().flatMap((part) => (isUndefined(part) ? [] : [readType(part, place)]));
  const [only, ...more] = members;
  return { type: only && more.length === 0 ? only : { kind: "union", members }, isOptional: true };
}

export function readHeritage(base: Node, place: Place): Heritage {
  const { span } = place;
  if (!Node.isExpressionWithTypeArguments(base)) return unsupported(base, describe(base), span);
  const name = base.getExpression();
  if (!Node.isIdentifier(name)) return unsupported(base, `the base ${name.getText()}`, span);
  const type = readNamed(name.getText(), base.getTypeArguments(), base, place);
  if (type.kind === "reference" && !type.arguments) return { name: type.name, omit: [], span: type.span };
  if (type.kind === "omit") return { name: type.name, omit: type.keys, span: type.span };
  if (type.kind === "parameter" || type.kind === "array")
    return unsupported(base, `a base of type ${printType(type)}`, span);
  return { name: printType(type), omit: [], type, span: span(base) };
}

export function readBody(
  node: TypeElementMemberedNode & Node,
  place: Place,
): { members: Member[]; index?: TypeExpression } {
  const { owner, span } = place;
  const members: Member[] = [];
  let index: TypeExpression | undefined;
  for (const element of node.getMembers()) {
    if (Node.isPropertySignature(element)) {
      const nameNode = element.getNameNode();
      if (Node.isComputedPropertyName(nameNode)) return unsupported(nameNode, "a computed member name", span);
      if (Node.isPrivateIdentifier(nameNode)) return unsupported(nameNode, "a private member name", span);
      const name = "text" in nameNode.compilerNode ? nameNode.compilerNode.text : nameNode.getText();
      if (members.some((member) => member.name === name)) fail("duplicate-member", { name, owner }, span(element));
      const typeNode = element.getTypeNode();
      if (!typeNode) return unsupported(element, "a member without a type", span);
      const { type, isOptional } = readPossiblyAbsent(typeNode, place);
      members.push(
        applyFormatInt({
          name,
          optional: element.hasQuestionToken() || isOptional === true,
          type,
          ...readDoc(element, span),
          span: span(element),
        }),
      );
    } else if (Node.isIndexSignatureDeclaration(element)) {
      const [key, ...more] = element.compilerNode.parameters;
      if (key?.type?.kind !== ts.SyntaxKind.StringKeyword || more.length > 0)
        return unsupported(element, "an index signature whose key is not `string`", span);
      if (index) return unsupported(element, "a second index signature", span);
      const values = element.getReturnTypeNode();
      if (!values) return unsupported(element, "an index signature without a type", span);
      index = readPossiblyAbsent(values, place).type;
    } else {
      return unsupported(element, describe(element), span);
    }
  }
  return { members, ...(index && { index }) };
}
