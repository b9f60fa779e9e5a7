import {
  Node,
  Project,
  ts,
  VariableDeclarationKind,
  type JSDocableNode,
  type TypeElementMemberedNode,
  type TypeNode,
} from "ts-morph";
import { diagnostic, DiagnosticError, fail, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type {
  Declaration,
  Heritage,
  ImportedName,
  Member,
  SourceModule,
  Span,
  TypeExpression,
} from "../../shared/model/source.js";
import { readComment } from "./comment.js";
import { readImports } from "./imports.js";
import { describe, unsupported, type Locate } from "./unsupported.js";

/** Levels of the syntax tree; a protocol schema has about twenty. */
const maxDepth = 200;

/**
 * READ, TypeScript: the declarations of a `schema.ts` or `.d.ts` file.
 * @throws DiagnosticError with every construct outside the grammar.
 */
export function readTypeScript(text: string, file: string): SourceModule {
  try {
    return readModule(text, file);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail("syntax-error", { reason: "the code nests too deeply to be parsed" }, { file, line: 1, column: 1 });
  }
}

function readModule(text: string, file: string): SourceModule {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noResolve: true, noLib: true },
  });
  const source = project.createSourceFile("/schema.ts", text.replace(/\r\n?/g, "\n"));
  const at = (position: number): Span => ({ file, ...source.getLineAndColumnAtPos(position) });
  const span = (node: Node): Span => at(node.getStart());

  const syntax = project.getProgram().getSyntacticDiagnostics(source);
  if (syntax.length > 0) {
    throw new DiagnosticError(
      syntax.map((found) => {
        const message = found.getMessageText();
        const reason = typeof message === "string" ? message : message.getMessageText();
        return diagnostic("syntax-error", { reason }, at(found.getStart()));
      }),
    );
  }

  const deep = nodeBelow(maxDepth, source.compilerNode);
  if (deep)
    fail(
      "unsupported-construct",
      { construct: `code nested deeper than ${maxDepth} levels` },
      at(deep.getStart(source.compilerNode)),
    );

  const problems: Diagnostic[] = [];
  const declarations: Declaration[] = [];
  const imports: ImportedName[] = [];
  for (const statement of source.getStatements()) {
    try {
      const names = readImports(statement, span);
      if (names) imports.push(...names);
      else declarations.push(...readStatement(statement, span));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { syntax: "typescript", file, declarations, ...(imports.length > 0 && { imports }) };
}

function nodeBelow(limit: number, root: ts.Node): ts.Node | undefined {
  const pending: { node: ts.Node; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const depth = next.depth + 1;
    if (depth > limit) return next.node;
    ts.forEachChild(next.node, (node) => void pending.push({ node, depth }));
  }
  return undefined;
}

function readStatement(node: Node, span: Locate): Declaration[] {
  if (Node.isInterfaceDeclaration(node)) {
    refuseGenerics(node.getTypeParameters()[0], span);
    return [
      {
        kind: "interface",
        name: node.getName(),
        span: span(node.getNameNode()),
        ...readDoc(node, span),
        heritage: node.getExtends().map((base) => readHeritage(base, span)),
        ...readBody(node, node.getName(), span),
      },
    ];
  }
  if (Node.isTypeAliasDeclaration(node)) {
    refuseGenerics(node.getTypeParameters()[0], span);
    const type = readType(node.getTypeNodeOrThrow(), node.getName(), span);
    return [{ kind: "alias", name: node.getName(), span: span(node.getNameNode()), ...readDoc(node, span), type }];
  }
  if (Node.isVariableStatement(node)) {
    if (node.getDeclarationKind() !== VariableDeclarationKind.Const)
      return unsupported(node, "a variable that is not `const`", span);
    return node.getDeclarations().map((variable) => {
      const [value, type] = [variable.getInitializer(), variable.getTypeNode()];
      return {
        kind: "constant",
        name: variable.getName(),
        span: span(variable),
        ...readDoc(node, span),
        value: readConstant(value ?? type ?? variable, span),
        ...(value && type && !Node.isLiteralTypeNode(type) && { isWidened: true }),
      };
    });
  }
  return unsupported(node, describe(node), span);
}

function readHeritage(base: Node, span: Locate): Heritage {
  const place = span(base);
  if (!Node.isExpressionWithTypeArguments(base)) return unsupported(base, describe(base), span);
  const name = base.getExpression().getText();
  const [target, keys, ...more] = base.getTypeArguments();
  if (!target) return { name, omit: [], span: place };
  if (name !== "Omit" || !keys || more.length > 0) return unsupported(base, `the generic type ${name}`, span);
  return { ...readOmit(target, keys, span), span: place };
}

function readOmit(target: TypeNode, keys: TypeNode, span: Locate): { name: string; omit: string[] } {
  if (!Node.isTypeReference(target)) return unsupported(target, "Omit of something that is not a named type", span);
  const members = Node.isUnionTypeNode(keys) ? keys.getTypeNodes() : [keys];
  const omit = members.map((key) => {
    const literal = readType(key, "Omit", span);
    if (literal.kind === "literal" && typeof literal.value === "string") return literal.value;
    return unsupported(key, "an Omit key that is not a string literal", span);
  });
  return { name: target.getTypeName().getText(), omit };
}

function readBody(
  node: TypeElementMemberedNode & Node,
  owner: string,
  span: Locate,
): { members: Member[]; index?: TypeExpression } {
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
      members.push({
        name,
        optional: element.hasQuestionToken(),
        type: readType(typeNode, owner, span),
        ...readDoc(element, span),
        span: span(element),
      });
    } else if (Node.isIndexSignatureDeclaration(element)) {
      const [key, ...more] = element.compilerNode.parameters;
      if (key?.type?.kind !== ts.SyntaxKind.StringKeyword || more.length > 0)
        return unsupported(element, "an index signature whose key is not `string`", span);
      if (index) return unsupported(element, "a second index signature", span);
      const values = element.getReturnTypeNode();
      if (!values) return unsupported(element, "an index signature without a type", span);
      index = readType(values, owner, span);
    } else {
      return unsupported(element, describe(element), span);
    }
  }
  return { members, ...(index && { index }) };
}

const keywords = new Map<ts.SyntaxKind, "string" | "number" | "boolean" | "unknown" | "any" | "object">([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
  [ts.SyntaxKind.UnknownKeyword, "unknown"],
  [ts.SyntaxKind.AnyKeyword, "any"],
  [ts.SyntaxKind.ObjectKeyword, "object"],
]);

function readType(node: TypeNode, owner: string, span: Locate): TypeExpression {
  const keyword = keywords.get(node.getKind());
  if (keyword) return { kind: "primitive", name: keyword };
  if (Node.isParenthesizedTypeNode(node)) return readType(node.getTypeNode(), owner, span);
  if (Node.isArrayTypeNode(node)) return { kind: "array", items: readType(node.getElementTypeNode(), owner, span) };
  if (Node.isUnionTypeNode(node))
    return { kind: "union", members: node.getTypeNodes().map((member) => readType(member, owner, span)) };
  if (Node.isIntersectionTypeNode(node))
    return { kind: "intersection", members: node.getTypeNodes().map((member) => readType(member, owner, span)) };
  if (Node.isTypeLiteral(node)) return { kind: "object", ...readBody(node, owner, span) };
  if (Node.isTypeQuery(node)) return { kind: "constant", name: node.getExprName().getText(), span: span(node) };
  if (Node.isLiteralTypeNode(node)) {
    const literal = node.getLiteral();
    if (Node.isNullLiteral(literal)) return { kind: "primitive", name: "null" };
    return { kind: "literal", value: readLiteral(literal, span) };
  }
  if (Node.isTypeReference(node))
    return readReference(node.getTypeName().getText(), node.getTypeArguments(), node, owner, span);
  return unsupported(node, describe(node), span);
}

function readReference(
  name: string,
  args: readonly TypeNode[],
  node: TypeNode,
  owner: string,
  span: Locate,
): TypeExpression {
  const [first, second] = args;
  if (!first) return { kind: "reference", name, span: span(node) };
  if (name === "Array" && args.length === 1) return { kind: "array", items: readType(first, owner, span) };
  if (name === "Record" && second && args.length === 2) {
    const key = readType(first, owner, span);
    if (key.kind === "primitive" && key.name === "string")
      return { kind: "record", values: readType(second, owner, span) };
    return unsupported(first, "a Record whose key is not `string`", span);
  }
  if (name === "Omit" && second && args.length === 2) {
    const { name: target, omit } = readOmit(first, second, span);
    return { kind: "omit", name: target, keys: omit, span: span(node) };
  }
  return unsupported(node, `the generic type ${name}`, span);
}

function readLiteral(node: Node, span: Locate): string | number | boolean {
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

function readConstant(node: Node, span: Locate): string | number {
  const inner = Node.isAsExpression(node)
    ? node.getExpression()
    : Node.isLiteralTypeNode(node)
      ? node.getLiteral()
      : node;
  const value = readLiteral(inner, span);
  return typeof value === "boolean" ? unsupported(node, "a boolean constant", span) : value;
}

function readDoc(node: JSDocableNode & Node, span: Locate): ReturnType<typeof readComment> {
  const last = node.getLeadingCommentRanges().findLast((range) => range.getText().startsWith("/*"));
  const attached = last && !/\n[ \t]*\n/.test(node.getSourceFile().getFullText().slice(last.getEnd(), node.getStart()));
  return readComment(attached ? last.getText() : "", (reason) =>
    fail("unsupported-construct", { construct: reason }, span(node)),
  );
}

function refuseGenerics(parameter: Node | undefined, span: Locate): void {
  if (parameter) unsupported(parameter, "a type parameter", span);
}
