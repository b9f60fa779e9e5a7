import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  Node,
  Project,
  SyntaxKind,
  ts,
  type FunctionDeclaration,
  type ArrowFunction,
  type FunctionExpression,
  type ParameterDeclaration,
  type SourceFile,
  type Type,
} from "ts-morph";
import { isBindingName } from "../../shared/names/identifier.js";
import { diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../shared/files/file-errors.js";
import { readDocComment, type DocComment } from "./doc-comment.js";
import type { DocTag } from "./doc-tag.js";
import { toolHints } from "./tool-hints.js";
import { ProblemCollector } from "./problem-collector.js";
import type { ResultKind, ToolFile, ToolModel } from "./tool-model.js";
import { schemaOfType, typeText } from "./type-schema.js";

type ToolFunction = FunctionDeclaration | ArrowFunction | FunctionExpression;

/** Types of the runtime for functions that return the result as it is sent. */
const resultTypes: ReadonlySet<string> = new Set(["CallToolResult", "InputRequired", "ToolOutcome", "ToolResult"]);

/**
 * Reads the tools of a TypeScript file: its exported functions with the tag `@tool`.
 * @param given the path for diagnostics
 * @throws DiagnosticError with every function that cannot become a tool
 */
export function readTools(given: string): ToolFile {
  try {
    return readFile(given);
  } catch (error) {
    const refusal = errnoText(error);
    if (refusal !== undefined) {
      // It may be a file that this one imports.
      const { path = given } = error as NodeJS.ErrnoException;
      fail("input-not-found", { path: path === resolve(given) ? given : path, reason: refusal });
    }
    if (!(error instanceof RangeError)) throw error;
    const reason = "the code nests too deeply to be read";
    return fail("syntax-error", { reason }, { file: given, line: 1, column: 1 });
  }
}

function readFile(given: string): ToolFile {
  const file = resolve(given);
  if (!existsSync(file)) fail("input-not-found", { path: given, reason: "there is no such file" });
  const { project, options } = openProject(file);
  const source = project.addSourceFileAtPath(file);
  project.resolveSourceFileDependencies();
  const problems = new ProblemCollector(source.getFilePath(), given);
  for (const found of project.getProgram().getSyntacticDiagnostics(source)) {
    const message = found.getMessageText();
    const reason = typeof message === "string" ? message : message.getMessageText();
    const position = source.getLineAndColumnAtPos(found.getStart());
    problems.add(diagnostic("syntax-error", { reason }, { file: given, ...position }));
  }
  problems.stop();
  const tools = toolsOf(source, problems);
  problems.stop();
  if (tools.length === 0) fail("compile-no-tools", { path: given });
  const extension = file.endsWith(".mts") ? ".m" : ".";
  return {
    tools,
    extension: `${extension}${options.allowImportingTsExtensions === true ? "ts" : "js"}`,
    sources: project
      .getSourceFiles()
      .map((one) => one.getFilePath())
      .filter((path) => !path.includes("/node_modules/")),
  };
}

/** The settings of the nearest tsconfig.json say how imports are resolved; how strictly to check is ours to say. */
function openProject(file: string): { readonly project: Project; readonly options: ts.CompilerOptions } {
  const path = ts.findConfigFile(dirname(file), (candidate) => ts.sys.fileExists(candidate));
  const read = path === undefined ? undefined : ts.readConfigFile(path, (candidate) => ts.sys.readFile(candidate));
  const parsed =
    read?.config === undefined || path === undefined
      ? undefined
      : ts.parseJsonConfigFileContent(read.config, { ...ts.sys, readDirectory: () => [] }, dirname(path));
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    ...parsed?.options,
    strict: true,
    strictNullChecks: true,
    noEmit: true,
    composite: false,
    incremental: false,
  };
  return { project: new Project({ compilerOptions: options, skipAddingFilesFromTsConfig: true }), options };
}

function toolsOf(source: SourceFile, problems: ProblemCollector): readonly ToolModel[] {
  const tools: ToolModel[] = [];
  const names = new Map<string, string>();
  const exported = new Map<Node, string>();
  for (const [name, declarations] of source.getExportedDeclarations())
    for (const declaration of declarations) exported.set(declaration, name);
  const candidates = [...source.getFunctions(), ...source.getVariableDeclarations()];
  for (const declaration of candidates.sort((a, b) => a.getStart() - b.getStart())) {
    const doc = readDocComment(declaration);
    const tag = doc.tags.find(({ name }) => name === "tool");
    if (!tag) continue;
    const known = declaration.getName() ?? "default";
    const name = exported.get(declaration);
    const body = Node.isVariableDeclaration(declaration) ? bare(declaration.getInitializer()) : declaration;
    if (name === "default") problems.tool(declaration, known, "is a default export; export it by a name");
    else if (name === undefined || !isBindingName(name))
      problems.tool(declaration, known, "is not exported by a name; write `export` before it");
    else if (!isToolFunction(body)) problems.tool(declaration, known, "is not a function");
    else {
      const tool = readTool(name, body, doc, tag, problems);
      const other = names.get(tool.name);
      if (other !== undefined) problems.tool(declaration, known, `has the same tool name as ${other}`);
      names.set(tool.name, known);
      tools.push(tool);
    }
  }
  refuseOthers(source, new Set<Node>(candidates), problems);
  return tools;
}

/** Reports each tagged declaration that cannot be a tool. */
function refuseOthers(source: SourceFile, candidates: ReadonlySet<Node>, problems: ProblemCollector): void {
  for (const comment of source.getDescendantsOfKind(SyntaxKind.JSDoc)) {
    const node = comment.getParentOrThrow();
    const declared = Node.isVariableStatement(node) ? node.getDeclarations() : [node];
    if (!comment.getTags().some((tag) => tag.getTagName() === "tool")) continue;
    if (declared.some((one) => candidates.has(one))) continue;
    const [first] = declared;
    const name =
      first && Node.hasName(first) ? first.getName() : Node.isExportAssignment(node) ? "default" : node.getKindName();
    problems.tool(node, name ?? "it", whyRefused(node));
  }
}

function whyRefused(node: Node): string {
  if (Node.isExportAssignment(node)) return "is a default export; export it by a name";
  if (Node.isExportDeclaration(node)) return "is tagged where it is exported; tag the function itself";
  if (Node.isFunctionDeclaration(node) && node.isOverload()) return "has overloads; a tool has one signature";
  if (Node.isFunctionDeclaration(node) || Node.isVariableStatement(node)) return "is not at the top level of the file";
  return "is not a function";
}

/** Removes parentheses and `satisfies`. */
function bare(node: Node | undefined): Node | undefined {
  const isWrapped = Node.isParenthesizedExpression(node) || Node.isSatisfiesExpression(node);
  return isWrapped ? bare(node.getExpression()) : node;
}

function isToolFunction(node: Node | undefined): node is ToolFunction {
  return Node.isFunctionDeclaration(node) || Node.isArrowFunction(node) || Node.isFunctionExpression(node);
}

function readTool(
  name: string,
  node: ToolFunction,
  doc: DocComment,
  tag: DocTag,
  problems: ProblemCollector,
): ToolModel {
  const wished = tag.text === "" ? name : tag.text;
  if (!/^[\w.-]{1,128}$/.test(wished))
    problems.tool(node, name, "requires a tool name of 1 to 128 letters, digits, _, - and .");
  if (node.getTypeParameters().length > 0) problems.tool(node, name, "is generic; a tool needs concrete types");
  if (Node.isFunctionDeclaration(node) && node.getOverloads().length > 0)
    problems.tool(node, name, "has overloads; a tool has one signature");
  if (!Node.isArrowFunction(node) && node.isGenerator()) problems.tool(node, name, "is a generator; return the result");
  const [first, second, third] = node.getParameters();
  const alone = first !== undefined && isContext(first);
  if ((alone && second) || third || node.getParameters().some((parameter) => parameter.isRestParameter()))
    problems.tool(node, name, "takes more than its arguments, as one object, and the context");
  const title = doc.tags.find((one) => one.name === "title")?.text;
  const input = first && !alone ? inputOf(name, first, problems) : undefined;
  const result = resultOf(node, problems);
  return {
    name: wished,
    function: name,
    ...(title !== undefined && title !== "" && { title }),
    ...(doc.text !== "" && { description: doc.text }),
    annotations: annotationsOf(doc.tags, node, problems),
    ...(input && { input }),
    context: alone || second !== undefined,
    result,
    span: problems.span(node),
  };
}

function isContext(parameter: ParameterDeclaration): boolean {
  const type = parameter.getType();
  return (type.getAliasSymbol() ?? type.getSymbol())?.getName() === "ServerContext";
}

function annotationsOf(
  tags: readonly DocTag[],
  node: Node,
  problems: ProblemCollector,
): Readonly<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  for (const { name, text } of tags) {
    const hint = Object.hasOwn(toolHints, name) ? toolHints[name] : undefined;
    const meant = Object.keys(toolHints).find((known) => known.toLowerCase() === name.toLowerCase());
    if (hint === undefined) {
      if (meant !== undefined) problems.tag(node, name, `must be spelled @${meant}`);
    } else if (text !== "" && text !== "true" && text !== "false") problems.tag(node, name, "is true or false");
    else found[hint] = text !== "false";
  }
  return found;
}

function inputOf(name: string, parameter: ParameterDeclaration, problems: ProblemCollector): ToolModel["input"] {
  const type = parameter.getType();
  const schema = schemaOfType(type, parameter, problems);
  const isObject = schema["type"] === "object" || schema["$ref"] !== undefined || isUnionOfObjects(type);
  // An empty schema was reported already.
  if (!isObject && Object.keys(schema).length > 0)
    problems.tool(parameter, name, `takes ${typeText(type)}; arguments are one object with a member for each`);
  return schema;
}

function isUnionOfObjects(type: Type): boolean {
  return type.isUnion() && type.getUnionTypes().every((part) => part.isObject() && !part.isArray() && !part.isTuple());
}

function resultOf(node: ToolFunction, problems: ProblemCollector): ResultKind {
  const type = awaited(node.getReturnType());
  const parts = type.isUnion() && !type.isBoolean() ? type.getUnionTypes() : [type];
  if (parts.every((part) => resultTypes.has(nameOf(part)))) return { kind: "result" };
  if (resultTypes.has(nameOf(type))) return { kind: "result" };
  if (parts.some((part) => resultTypes.has(nameOf(part)))) {
    problems.tool(
      node,
      typeText(type),
      "is sometimes a result and sometimes what goes into one; return one of the two",
    );
    return { kind: "result" };
  }
  if (parts.every((part) => part.isString() || part.isStringLiteral() || part.isTemplateLiteral()))
    return { kind: "text" };
  const place = node.getReturnTypeNode() ?? node;
  if (type.isVoid() || type.isUndefined()) {
    problems.type(place, `${type.getText()} as a result`, "Return a string, an object or a ToolResult.");
    return { kind: "text" };
  }
  return { kind: "structured", schema: schemaOfType(type, promisedNode(place), problems) };
}

function nameOf(type: Type): string {
  return (type.getAliasSymbol() ?? type.getSymbol())?.getName() ?? "";
}

function awaited(type: Type): Type {
  const inner = nameOf(type) === "Promise" ? type.getTypeArguments()[0] : undefined;
  return inner ?? type;
}

/** `T` of a written `Promise<T>`. */
function promisedNode(node: Node): Node {
  const inner =
    Node.isTypeReference(node) && node.getTypeName().getText() === "Promise" ? node.getTypeArguments()[0] : undefined;
  return inner ?? node;
}
