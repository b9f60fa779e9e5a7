import {
  Node,
  Project,
  ts,
  VariableDeclarationKind,
  type EnumDeclaration,
  type InterfaceDeclaration,
  type TypeAliasDeclaration,
  type VariableDeclaration,
} from "ts-morph";
import { diagnostic, DiagnosticError, fail, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { Declaration, ImportedName, SourceModule, Span, TypeParameter } from "../../shared/model/source.js";
import { readDoc } from "./doc.js";
import { applyFormatInt } from "./format-int.js";
import { readEnum } from "./enum.js";
import { readImports } from "./imports.js";
import { readLiteral } from "./literals.js";
import { readBody, readHeritage, readType, type Place } from "./type-nodes.js";
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
    const { place, parameters } = readParameters(node, span);
    return [
      {
        kind: "interface",
        name: node.getName(),
        span: span(node.getNameNode()),
        ...readDoc(node, span),
        ...parameters,
        heritage: node.getExtends().map((base) => readHeritage(base, place)),
        ...readBody(node, place),
      },
    ];
  }
  if (Node.isTypeAliasDeclaration(node)) {
    const { place, parameters } = readParameters(node, span);
    const type = readType(node.getTypeNodeOrThrow(), place);
    return [applyFormatInt({ ...declared(node, span), kind: "alias" as const, ...parameters, type })];
  }
  if (Node.isEnumDeclaration(node)) return [{ ...declared(node, span), kind: "alias", type: readEnum(node, span) }];
  if (Node.isVariableStatement(node)) {
    if (node.getDeclarationKind() !== VariableDeclarationKind.Const)
      return unsupported(node, "a variable that is not `const`", span);
    return node.getDeclarations().map((variable) => readConstant(variable, readDoc(node, span), span));
  }
  return unsupported(node, describe(node), span);
}

function declared(
  node: TypeAliasDeclaration | EnumDeclaration,
  span: Locate,
): Pick<Declaration, "name" | "span" | "text" | "tags"> {
  return { name: node.getName(), span: span(node.getNameNode()), ...readDoc(node, span) };
}

/** The type parameters of a declaration, and the place of the types in it. Constraints do not change what is valid. */
function readParameters(
  node: InterfaceDeclaration | TypeAliasDeclaration,
  span: Locate,
): { readonly place: Place; readonly parameters: { readonly parameters?: readonly TypeParameter[] } } {
  const declared = node.getTypeParameters();
  const place = {
    owner: node.getName(),
    parameters: new Set(declared.map((parameter) => parameter.getName())),
    span,
  };
  const parameters = declared.map((parameter): TypeParameter => {
    const standard = parameter.getDefault();
    return { name: parameter.getName(), ...(standard && { defaultType: readType(standard, place) }) };
  });
  return { place, parameters: parameters.length > 0 ? { parameters } : {} };
}

function readConstant(
  variable: VariableDeclaration,
  doc: Pick<Declaration, "text" | "tags">,
  span: Locate,
): Declaration {
  const [value, type] = [variable.getInitializer(), variable.getTypeNode()];
  const base = { name: variable.getName(), span: span(variable), ...doc };
  if (!value && (Node.isIndexedAccessTypeNode(type) || Node.isTypeReference(type))) {
    const place = { owner: base.name, parameters: new Set<string>(), span };
    return { ...base, kind: "derived-constant", type: readType(type, place) };
  }
  return {
    ...base,
    kind: "constant",
    value: readValue(value ?? type ?? variable, span),
    ...(value && type && !Node.isLiteralTypeNode(type) && { isWidened: true as const }),
  };
}

function readValue(node: Node, span: Locate): string | number {
  const inner = Node.isAsExpression(node)
    ? node.getExpression()
    : Node.isLiteralTypeNode(node)
      ? node.getLiteral()
      : node;
  const value = readLiteral(inner, span);
  return typeof value === "boolean" ? unsupported(node, "a boolean constant", span) : value;
}
