import { type CallExpression, type Identifier, Node, SyntaxKind, type VariableStatement } from "ts-morph";
import { type Edit, type FileRewriter, referencesIn, removedItem, removedStatement } from "../file-rewriter.js";

/** A use of a middleware that checks tokens. */
export interface ProtectedUse {
  /** What runs behind the middleware. */
  readonly place: Node;
  /** Remove the use. */
  readonly edits: readonly Edit[];
}

/**
 * All uses of a middleware. Undefined where one is not known, or protects anything besides the handler, which would be open afterwards; and
 * where the handler is also served without the middleware, since its authorization would then apply there, too.
 */
export function protectedUses(
  rewriter: FileRewriter,
  middleware: Identifier,
  handler: Identifier,
): readonly ProtectedUse[] | undefined {
  const all = referencesIn(rewriter.file, middleware).map((one) => protectedUse(rewriter, one, handler));
  const known = all.filter((one) => one !== undefined);
  const places = known.map(({ place }) => place);
  return known.length > 0 && known.length === all.length && isServedOnlyIn(rewriter, handler, places)
    ? known
    : undefined;
}

/** Whether all requests that reach a handler do so in these places; its other members, such as `close`, get none. */
function isServedOnlyIn(rewriter: FileRewriter, handler: Identifier, places: readonly Node[]): boolean {
  const isExported =
    handler.getFirstAncestorByKind(SyntaxKind.VariableStatement)?.isExported() === true ||
    rewriter.file
      .getDescendantsOfKind(SyntaxKind.ExportSpecifier)
      .some((one) => one.getNameNode().getText() === handler.getText());
  if (isExported) return false;
  return referencesIn(rewriter.file, handler).every((use) => {
    const parent = use.getParent();
    if (Node.isPropertyAccessExpression(parent) && parent.getName() !== "fetch") return true;
    const made =
      Node.isCallExpression(parent) && rewriter.officialName(parent.getExpression()) === "toNodeHandler"
        ? declared(parent)
        : undefined;
    if (made) return isServedOnlyIn(rewriter, made.name, places);
    return places.some((place) => use.getAncestors().includes(place));
  });
}

function protectedUse(rewriter: FileRewriter, use: Identifier, handler: Identifier): ProtectedUse | undefined {
  const call = use.getParent();
  if (!Node.isCallExpression(call)) return undefined;
  return call.getExpression() === use ? ofWebCheck(call, handler) : ofRoute(rewriter, use, call, handler);
}

/** `app.all("/mcp", auth, (request, response) => void handle(request, response))`. */
function ofRoute(
  rewriter: FileRewriter,
  use: Identifier,
  call: CallExpression,
  handler: Identifier,
): ProtectedUse | undefined {
  const route = call.getExpression();
  const isRoute = Node.isPropertyAccessExpression(route) && /^(?:all|get|post|delete)$/.test(route.getName());
  const [path, middleware, served, ...others] = call.getArguments();
  if (!isRoute || middleware !== use || !served || others.length > 0 || !Node.isStringLiteral(path)) return undefined;
  return isOnlyHandler(rewriter, served, handler)
    ? { place: call, edits: [removedItem(use, call.getArguments())] }
    : undefined;
}

/** Whether a callback of a route is the handler, or does nothing but call it. */
function isOnlyHandler(rewriter: FileRewriter, callback: Node, handler: Identifier): boolean {
  const isOfHandler = (callee: Node): boolean => isSame(nodeHandler(rewriter, callee)?.getArguments()[0], handler);
  if (!Node.isArrowFunction(callback) && !Node.isFunctionExpression(callback)) return isOfHandler(callback);
  const body = callback.getBody();
  const [statement, ...others] = Node.isBlock(body) ? body.getStatements() : [body];
  let value: Node | undefined = statement;
  if (Node.isExpressionStatement(value) || Node.isReturnStatement(value)) value = value.getExpression();
  while (Node.isVoidExpression(value) || Node.isAwaitExpression(value)) value = value.getExpression();
  return others.length === 0 && Node.isCallExpression(value) && isOfHandler(value.getExpression());
}

/** `const auth = await gate(request)`, the return of a response, and then only the handler with `{ authInfo: auth }`. */
function ofWebCheck(call: CallExpression, handler: Identifier): ProtectedUse | undefined {
  const awaited = call.getParent();
  const checked = Node.isAwaitExpression(awaited) ? declared(awaited) : undefined;
  const block = checked?.statement.getParent();
  if (!checked || !Node.isBlock(block)) return undefined;
  const after = block.getStatements().slice(checked.statement.getChildIndex() + 1);
  const [refusal, served, ...others] = after;
  const name = checked.name.getText();
  const isRefusal =
    Node.isIfStatement(refusal) &&
    refusal.getExpression().getText() === `${name} instanceof Response` &&
    new RegExp(String.raw`^(?:\{\s*)?return ${name};?(?:\s*\})?$`).test(refusal.getThenStatement().getText()) &&
    !refusal.getElseStatement();
  const handled = Node.isReturnStatement(served) ? withoutAwait(served.getExpression()) : undefined;
  const [request, options] = Node.isCallExpression(handled) ? handled.getArguments() : [];
  const member = Node.isObjectLiteralExpression(options) ? options.getProperty("authInfo") : undefined;
  const callee = Node.isCallExpression(handled) ? handled.getExpression() : undefined;
  const isFetch =
    Node.isPropertyAccessExpression(callee) && callee.getName() === "fetch" && isSame(callee.getExpression(), handler);
  const isHandled = isFetch && request && options && /^authInfo(?:: *\w+)?$/.test(member?.getText() ?? "");
  const uses = referencesIn(block, checked.name).length;
  if (!served || !isRefusal || !isHandled || others.length > 0 || uses !== 3) return undefined;
  if (!Node.isObjectLiteralExpression(options)) return undefined;
  const isOnly = options.getProperties().length === 1;
  const option = isOnly
    ? removedItem(options, [request, options])
    : removedItem(member ?? options, options.getProperties());
  return { place: served, edits: [removedStatement(checked.statement), removedStatement(refusal), option] };
}

function withoutAwait(value: Node | undefined): Node | undefined {
  return Node.isAwaitExpression(value) ? value.getExpression() : value;
}

/** The variable of a value, alone in its statement. */
export function declared(
  value: Node,
): { readonly name: Identifier; readonly statement: VariableStatement } | undefined {
  const declaration = value.getParent();
  if (!Node.isVariableDeclaration(declaration)) return undefined;
  const [name, statement] = [declaration.getNameNode(), declaration.getVariableStatement()];
  return Node.isIdentifier(name) && statement?.getDeclarations().length === 1 ? { name, statement } : undefined;
}

function isSame(value: Node | undefined, name: Identifier): boolean {
  return Node.isIdentifier(value) && value.getSymbol() === name.getSymbol();
}

/** The call of `toNodeHandler` of which a function is the result. */
export function nodeHandler(rewriter: FileRewriter, callee: Node): CallExpression | undefined {
  const declaration = callee.getSymbol()?.getValueDeclaration();
  const made = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : callee;
  return Node.isCallExpression(made) && rewriter.officialName(made.getExpression()) === "toNodeHandler"
    ? made
    : undefined;
}
