import {
  type ArrowFunction,
  type FunctionDeclaration,
  type FunctionExpression,
  type Identifier,
  type MethodDeclaration,
  Node,
  type ParameterDeclaration,
  SymbolFlags,
  SyntaxKind,
} from "ts-morph";
import { type Edit, type FileRewriter, referencesIn } from "../file-rewriter.js";

/**
 * The name of the context in the callback around a node. Undefined outside of one, if it takes the context apart, if the name means
 * something else here, and in code that runs after the request.
 */
export function contextAround(rewriter: FileRewriter, node: Node): string | undefined {
  for (const around of node.getAncestors()) {
    if (!isFunction(around)) continue;
    const parameter = around
      .getParameters()
      .find((one) => rewriter.officialType(one) === "HandlerContext" && Node.isIdentifier(one.getNameNode()));
    if (parameter) return isVisible(parameter, node) ? parameter.getName() : undefined;
    if (runsLater(around)) return undefined;
  }
  return undefined;
}

/**
 * The edit that adds a parameter for the context to the registered callback around a node, which has none. Undefined if there is no such
 * callback, or code between it and the node runs after the request.
 */
export function contextParameter(rewriter: FileRewriter, node: Node): Edit | undefined {
  for (const around of node.getAncestors()) {
    if (!isFunction(around)) continue;
    const index = contextIndex(rewriter, around);
    if (index !== undefined) return addedParameter(rewriter, around, index);
    if (runsLater(around)) return undefined;
  }
  return undefined;
}

/** The position of the context among the parameters of a callback that `registerTool` or the like gets. */
function contextIndex(rewriter: FileRewriter, callback: AnyFunction): number | undefined {
  const call = callback.getParent();
  const callee = Node.isCallExpression(call) ? call.getExpression() : undefined;
  if (
    !Node.isCallExpression(call) ||
    !Node.isPropertyAccessExpression(callee) ||
    !call.getArguments().includes(callback)
  )
    return undefined;
  if (rewriter.officialType(callee.getExpression()) !== "McpServer") return undefined;
  const [, config] = call.getArguments();
  switch (callee.getName()) {
    case "registerTool":
    case "registerPrompt": {
      if (!Node.isObjectLiteralExpression(config)) return undefined;
      return (config.getProperty("inputSchema") ?? config.getProperty("argsSchema")) ? 1 : 0;
    }
    case "registerResource":
      return config?.getType().isString() === true || config?.getType().isStringLiteral() === true ? 1 : undefined;
    default:
      return undefined;
  }
}

function addedParameter(rewriter: FileRewriter, callback: AnyFunction, index: number): Edit | undefined {
  const parameters = callback.getParameters();
  if (parameters.length > index) return undefined;
  // Parameters of several callbacks can have the same name.
  const name = ["context", "requestContext", "mcpContext"].find((one) => rewriter.isFree(one)) ?? "handlerContext";
  const [last] = parameters.slice(-1);
  const open = callback.getFirstChildByKind(SyntaxKind.OpenParenToken);
  if (!last) {
    const added = [...Array.from({ length: index }, (_, at) => `_argument${at === 0 ? "" : at + 1}`), name];
    return open && { start: open.getEnd(), end: open.getEnd(), text: added.join(", ") };
  }
  if (!open) return { start: last.getStart(), end: last.getEnd(), text: `(${last.getText()}, ${name})` };
  return { start: last.getEnd(), end: last.getEnd(), text: `, ${name}` };
}

/** `log` throws without the capability, where the official SDK drops the message. */
export function askForLogging(rewriter: FileRewriter, node: Node): void {
  const files = rewriter.file.getProject().getSourceFiles();
  if (files.some((one) => /\blogging["']?\s*:/.test(one.getFullText()))) return;
  rewriter.todo(
    node,
    "log throws without the capability: pass { capabilities: { logging: {} } } to McpServer",
    "servers-and-clients",
  );
}

type AnyFunction = ArrowFunction | FunctionExpression | FunctionDeclaration | MethodDeclaration;

function isFunction(node: Node): node is AnyFunction {
  return (
    Node.isArrowFunction(node) ||
    Node.isFunctionExpression(node) ||
    Node.isFunctionDeclaration(node) ||
    Node.isMethodDeclaration(node)
  );
}

/** Whether the name of a parameter means it at a place, and not something that is declared between. */
function isVisible(parameter: ParameterDeclaration, place: Node): boolean {
  const symbols = place.getSymbolsInScope(SymbolFlags.Variable);
  return symbols.find((one) => one.getName() === parameter.getName()) === parameter.getSymbol();
}

/** Whether a function is the listener of a timer or an event. */
function runsLater(node: Node): boolean {
  const call = node.getParent();
  const callee = Node.isCallExpression(call) ? call.getExpression().getText() : "";
  return /^(?:setTimeout|setInterval|setImmediate)$|\.(?:on|once|addListener|addEventListener)$/.test(callee);
}

/**
 * A key for a question to the user that no other one in the same request has; undefined where it could repeat: in a loop, in a
 * function that is called for each item, or in one of several callers.
 */
export function questionKey(node: Node, kind: string): string | undefined {
  const around = node.getAncestors();
  const callback = around.find(isFunction);
  if (!callback || around.slice(0, around.indexOf(callback)).some((one) => Node.isIterationStatement(one)))
    return undefined;
  const earlier = callback
    .getDescendants()
    .filter(
      (one) => one.getStart() < node.getStart() && Node.isPropertyAccessExpression(one) && questions.has(one.getName()),
    );
  const key = earlier.length === 0 ? kind : `${kind}-${earlier.length + 1}`;
  if (isRegistered(callback)) return key;
  const name = nameOf(callback);
  return name && isCalledOnce(name) ? `${name.getText()}-${key}` : undefined;
}

/** Whether a function is passed to a method that registers it, or is a member of `handle({ … })`: it runs once for a request. */
function isRegistered(callback: AnyFunction): boolean {
  const parent = callback.getParent();
  const call = Node.isCallExpression(parent) ? parent : parent.getFirstAncestorByKind(SyntaxKind.CallExpression);
  const isMember = Node.isPropertyAssignment(parent) && parent.getParent().getParent() === call;
  if (!call || (parent !== call && !isMember)) return false;
  const callee = call.getExpression();
  return Node.isPropertyAccessExpression(callee) && registrations.has(callee.getName());
}

const registrations: ReadonlySet<string> = new Set([
  "registerTool",
  "registerResource",
  "registerPrompt",
  "tool",
  "resource",
  "prompt",
  "setRequestHandler",
  "handle",
]);

function nameOf(callback: AnyFunction): Identifier | undefined {
  if (Node.isFunctionDeclaration(callback)) return callback.isExported() ? undefined : callback.getNameNode();
  const declaration = callback.getParent();
  if (!Node.isVariableDeclaration(declaration) || declaration.isExported()) return undefined;
  const name = declaration.getNameNode();
  return Node.isIdentifier(name) ? name : undefined;
}

/** Whether a function is named in one place, which does not repeat. */
function isCalledOnce(name: Identifier): boolean {
  const [use, ...others] = referencesIn(name.getSourceFile(), name);
  const around = use?.getAncestors() ?? [];
  const caller = around.find(isFunction);
  if (
    !use ||
    others.length > 0 ||
    around.slice(0, caller && around.indexOf(caller)).some((one) => Node.isIterationStatement(one))
  )
    return false;
  const isPassed =
    Node.isCallExpression(use.getParent()) &&
    use.getParentIfKindOrThrow(SyntaxKind.CallExpression).getExpression() !== use;
  if (isPassed) {
    const callee = use.getParentIfKindOrThrow(SyntaxKind.CallExpression).getExpression();
    return Node.isPropertyAccessExpression(callee) && registrations.has(callee.getName());
  }
  return caller !== undefined && isRegistered(caller);
}

const questions: ReadonlySet<string> = new Set([
  "elicitInput",
  "requestSampling",
  "createMessage",
  "listRoots",
  "sendRequest",
  "send",
  "elicit",
  "sample",
]);
