import {
  type CallExpression,
  type Identifier,
  Node,
  type ObjectLiteralExpression,
  type PropertyAccessExpression,
  SyntaxKind,
  type VariableStatement,
} from "ts-morph";
import {
  type Edit,
  type FileRewriter,
  indentOf,
  inserted,
  referencesIn,
  removedItem,
  removedStatement,
  replaced,
} from "../file-rewriter.js";
import { addOption } from "./callback-options.js";
import type { Rule } from "./rule.js";

const entry = "@mcpwright/runtime/auth/server";
const section = "protected-servers";
/** What a program states whose verifier is all that checks its tokens. */
const statedAudience = "checked-by-verifier";

/** Makes the check of access tokens an authorization of the handler. */
export const ownTokens: Rule = {
  id: "own-tokens",
  summary:
    "`requireBearerAuth({ verifier })` becomes `requireOwnTokens`, the option `authorization` of the handler, and `request.auth = info` its option `principal`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isCallExpression(node) && rewriter.officialName(node.getExpression()) === "requireBearerAuth")
        ofMiddleware(rewriter, node);
      if (Node.isNewExpression(node)) ofError(rewriter, node);
      if (Node.isExpressionStatement(node)) ofRequestAuth(rewriter, node);
    });
  },
};

/** `new OAuthError(OAuthErrorCode.InvalidToken, message)`, and `new InvalidTokenError(message)` of 1.x. */
function ofError(rewriter: FileRewriter, node: Node): void {
  if (!Node.isNewExpression(node)) return;
  const [first, ...others] = node.getArguments();
  const name = rewriter.officialName(node.getExpression());
  if (name === "InvalidTokenError" && first && others.length === 0) {
    rewriter.use(entry, "InvalidTokenError");
    rewriter.change(inserted(first.getStart(), `${rewriter.string("inactive")}, `));
  }
  const isInvalid =
    Node.isPropertyAccessExpression(first) &&
    first.getName() === "InvalidToken" &&
    rewriter.officialName(first.getExpression()) === "OAuthErrorCode";
  if (name !== "OAuthError" || !isInvalid || others.length === 0) return;
  rewriter.use(entry, "InvalidTokenError");
  rewriter.change(replaced(node.getExpression(), "InvalidTokenError"), replaced(first, rewriter.string("inactive")));
}

/** The middleware, the handler behind it, and what leads from one to the other. */
interface Parts {
  readonly name: Identifier;
  readonly statement: VariableStatement;
  readonly options: ObjectLiteralExpression;
  readonly handler: CallExpression;
  readonly handlerStatement: VariableStatement;
}

function ofMiddleware(rewriter: FileRewriter, call: CallExpression): void {
  const parts = partsOf(rewriter, call);
  const uses = parts && referencesIn(rewriter.file, parts.name).map((one) => usesEdits(rewriter, one));
  const metadata = parts && metadataRouter(rewriter);
  if (!parts || !uses || uses.length === 0 || uses.some((one) => one === undefined) || metadata === null) {
    rewriter.todo(
      call,
      'pass requireOwnTokens({ verifier, audience: "checked-by-verifier" }), or requireBearerAuth with jwtVerifier, as the option authorization of the handler',
      section,
    );
    return;
  }
  const { statement, handler, handlerStatement, name } = parts;
  const text = rewrittenStatement(rewriter, parts, call, metadata);
  const isAbove = statement.getStart() < handlerStatement.getStart();
  const indent = indentOf(handlerStatement);
  const edits: Edit[] = isAbove
    ? [replaced(statement, text)]
    : [removedStatement(statement), inserted(startWithComments(handlerStatement), `${text}\n${indent}`)];
  if (metadata)
    edits.push(removedStatement(metadata.statement), ...publicRoute(referencesIn(rewriter.file, name), metadata));
  rewriter.use(entry, "requireOwnTokens");
  rewriter.change(
    ...edits,
    ...addOption(handler, "authorization", name.getText()),
    ...uses.flatMap((one) => one ?? []),
  );
}

/** @returns undefined where the handler is not the only one, or the middleware cannot stand above it */
function partsOf(rewriter: FileRewriter, call: CallExpression): Parts | undefined {
  const [options, ...others] = call.getArguments();
  const own = declared(call);
  const handlers = rewriter.file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((one) => rewriter.officialName(one.getExpression()) === "createMcpHandler");
  const [handler] = handlers;
  const served = handler && declared(handler);
  if (!own || !served || handlers.length !== 1 || others.length > 0 || !Node.isObjectLiteralExpression(options))
    return undefined;
  const isPlain = options.getProperties().every((one) => !Node.isSpreadAssignment(one));
  const { name, statement } = own;
  const { statement: handlerStatement } = served;
  if (!isPlain || statement.isExported() || statement.getParent() !== handlerStatement.getParent()) return undefined;
  const top = handlerStatement.getStart();
  const isMovable = statement.getStart() < top || isDeclaredBefore(options, top);
  return isMovable ? { name, statement, options, handler, handlerStatement } : undefined;
}

function declared(value: Node): { readonly name: Identifier; readonly statement: VariableStatement } | undefined {
  const declaration = value.getParent();
  if (!Node.isVariableDeclaration(declaration)) return undefined;
  const [name, statement] = [declaration.getNameNode(), declaration.getVariableStatement()];
  return Node.isIdentifier(name) && statement?.getDeclarations().length === 1 ? { name, statement } : undefined;
}

/** Whether the variables of this file in an expression are declared above a place. */
function isDeclaredBefore(expression: Node, place: number): boolean {
  return expression.getDescendantsOfKind(SyntaxKind.Identifier).every((one) => {
    const declarations = one.getSymbol()?.getDeclarations() ?? [];
    return declarations.every(
      (declaration) =>
        !Node.isVariableDeclaration(declaration) ||
        declaration.getSourceFile() !== expression.getSourceFile() ||
        declaration.getAncestors().includes(expression) ||
        declaration.getStart() < place,
    );
  });
}

/**
 * How a use of the middleware goes away; undefined for a use that is not known, or that protects anything besides the handler, which would
 * be open afterwards.
 */
function usesEdits(rewriter: FileRewriter, use: Identifier): readonly Edit[] | undefined {
  const call = use.getParent();
  if (!Node.isCallExpression(call)) return undefined;
  return call.getExpression() === use ? ofWebCheck(call) : ofRoute(rewriter, use, call);
}

/** `app.all("/mcp", auth, (request, response) => void handle(request, response))`. */
function ofRoute(rewriter: FileRewriter, use: Identifier, call: CallExpression): readonly Edit[] | undefined {
  const route = call.getExpression();
  const isRoute = Node.isPropertyAccessExpression(route) && /^(?:all|get|post|delete)$/.test(route.getName());
  const [path, middleware, served, ...others] = call.getArguments();
  if (!isRoute || middleware !== use || !served || others.length > 0 || !Node.isStringLiteral(path)) return undefined;
  return isOnlyHandler(rewriter, served) ? [removedItem(use, call.getArguments())] : undefined;
}

/** Whether a callback of a route is the handler, or does nothing but call it. */
function isOnlyHandler(rewriter: FileRewriter, callback: Node): boolean {
  if (!Node.isArrowFunction(callback) && !Node.isFunctionExpression(callback)) return isHandler(rewriter, callback);
  const body = callback.getBody();
  const [statement, ...others] = Node.isBlock(body) ? body.getStatements() : [body];
  let value: Node | undefined = statement;
  if (Node.isExpressionStatement(value) || Node.isReturnStatement(value)) value = value.getExpression();
  while (Node.isVoidExpression(value) || Node.isAwaitExpression(value)) value = value.getExpression();
  return others.length === 0 && Node.isCallExpression(value) && isHandler(rewriter, value.getExpression());
}

/** `const auth = await gate(request)`, the return of a response, and then only the handler with `{ authInfo: auth }`. */
function ofWebCheck(call: CallExpression): readonly Edit[] | undefined {
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
  const isHandled = request && options && /^authInfo(?:: *\w+)?$/.test(member?.getText() ?? "");
  const uses = referencesIn(block, checked.name).length;
  if (!isRefusal || !isHandled || others.length > 0 || uses !== 3 || !Node.isObjectLiteralExpression(options))
    return undefined;
  const isOnly = options.getProperties().length === 1;
  return [
    removedStatement(checked.statement),
    removedStatement(refusal),
    isOnly ? removedItem(options, [request, options]) : removedItem(member ?? options, options.getProperties()),
  ];
}

function withoutAwait(value: Node | undefined): Node | undefined {
  return Node.isAwaitExpression(value) ? value.getExpression() : value;
}

/** The router of 2.x and 1.x that serves the metadata, and its options. */
interface MetadataRouter {
  readonly statement: Node;
  /** What it is mounted on. */
  readonly app: string;
  readonly options: ObjectLiteralExpression;
}

/** @returns null where the router is used in another way, or has options without a counterpart */
function metadataRouter(rewriter: FileRewriter): MetadataRouter | null | undefined {
  const calls = rewriter.file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((one) => rewriter.officialName(one.getExpression()) === "mcpAuthMetadataRouter");
  const [call] = calls;
  if (!call) return undefined;
  const [options] = call.getArguments();
  const use = call.getParent();
  const statement = use?.getParent();
  const [, app] =
    Node.isCallExpression(use) && use.getArguments().length === 1
      ? (/^(\w+)\.use$/.exec(use.getExpression().getText()) ?? [])
      : [];
  if (calls.length !== 1 || !Node.isExpressionStatement(statement) || app === undefined) return null;
  const isKnown = Node.isObjectLiteralExpression(options) && options.getProperties().every(isMetadataMember);
  return isKnown ? { statement, app, options } : null;
}

/** Members of the router's options that have a counterpart. */
const metadataMembers: Readonly<Record<string, string>> = {
  resourceServerUrl: "resource",
  scopesSupported: "scopesSupported",
  resourceName: "resourceName",
};

/** Whether a member of the router's options can be kept: a spread may have any. */
function isMetadataMember(member: Node): boolean {
  if (!Node.isPropertyAssignment(member) && !Node.isShorthandPropertyAssignment(member)) return false;
  return member.getName() === "oauthMetadata" || Object.hasOwn(metadataMembers, member.getName());
}

/** The declaration with the options of `requireOwnTokens`. */
function rewrittenStatement(
  rewriter: FileRewriter,
  { statement, options }: Parts,
  call: CallExpression,
  metadata: MetadataRouter | undefined,
): string {
  const members = new Map<string, string>();
  for (const member of options.getProperties()) {
    const name =
      Node.isPropertyAssignment(member) || Node.isShorthandPropertyAssignment(member) ? member.getName() : "";
    const value = Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
    if (name === "expectedResource") members.set("resource", `resource: ${value?.getText() ?? name}`);
    // The metadata of the handler have this URL.
    else if (name !== "resourceMetadataUrl" || !metadata) members.set(name, member.getText());
    const isOfResource =
      Node.isCallExpression(value) &&
      rewriter.officialName(value.getExpression()) === "getOAuthProtectedResourceMetadataUrl";
    if (name === "resourceMetadataUrl" && isOfResource && !members.has("resource"))
      members.set("resource", `resource: ${value.getArguments()[0]?.getText() ?? ""}`);
  }
  for (const member of metadata?.options.getProperties() ?? []) {
    const name =
      Node.isPropertyAssignment(member) || Node.isShorthandPropertyAssignment(member) ? member.getName() : "";
    const value = Node.isPropertyAssignment(member) ? (member.getInitializer()?.getText() ?? name) : name;
    const to = Object.hasOwn(metadataMembers, name) ? metadataMembers[name] : undefined;
    if (to !== undefined) members.set(to, to === value ? to : `${to}: ${value}`);
    if (name === "oauthMetadata") members.set("authorizationServers", `authorizationServers: [${value}.issuer]`);
  }
  members.set("audience", `audience: ${rewriter.string(statedAudience)}`);
  const [first = "", ...rest] = [...members.values()];
  const [start, end] = [statement.getStart(), options.getEnd()];
  const isLong = options.getText().includes("\n");
  const inner = isLong ? `${indentOf(statement)}${step(options)}` : "";
  const list = isLong
    ? `{\n${[first, ...rest].map((one) => `${inner}${one}`).join(",\n")}\n${indentOf(statement)}}`
    : `{ ${[first, ...rest].join(", ")} }`;
  const whole = statement.getText();
  const calleeEnd = call.getExpression().getEnd() - start;
  return `${whole.slice(0, call.getStart() - start)}requireOwnTokens${whole.slice(calleeEnd, options.getStart() - start)}${list}${whole.slice(end - start)}`;
}

/** One step of indentation of a literal's members. */
function step(options: ObjectLiteralExpression): string {
  const [, spaces = "  "] = /\n([ \t]+)\S/.exec(options.getText()) ?? [];
  return (
    spaces.slice(indentOf(options.getFirstAncestorByKind(SyntaxKind.VariableStatement) ?? options).length) || spaces
  );
}

/** Serves the metadata where the router did, by the handler of the first route. */
function publicRoute(uses: readonly Identifier[], { app }: MetadataRouter): readonly Edit[] {
  const route = uses[0]?.getParent();
  const statement = route?.getParent();
  const served = Node.isCallExpression(route) ? route.getArguments().at(-1) : undefined;
  if (!statement || !served || !Node.isExpressionStatement(statement)) return [];
  const paths = `[...${uses[0]?.getText() ?? ""}.publicPaths]`;
  return [inserted(statement.getStart(), `${app}.all(${paths}, ${served.getText()});\n${indentOf(statement)}`)];
}

/** The start of a statement with the comments above it. */
function startWithComments(statement: Node): number {
  return statement.getLeadingCommentRanges()[0]?.getPos() ?? statement.getStart();
}

/** `request.auth = info`, in front of a call of the handler with this request. */
function ofRequestAuth(rewriter: FileRewriter, statement: Node): void {
  const assignment = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined;
  if (!Node.isBinaryExpression(assignment) || assignment.getOperatorToken().getText() !== "=") return;
  const [target, info] = [assignment.getLeft(), assignment.getRight()];
  if (!Node.isPropertyAccessExpression(target) || target.getName() !== "auth") return;
  if (rewriter.officialType(info) !== "AuthInfo") return;
  const call = onlyCallAfter(rewriter, statement, target);
  const third = call?.getArguments()[2];
  // A parsed body becomes an option first.
  if (third && !Node.isObjectLiteralExpression(third)) return;
  if (!call || call.getArguments().length < 2) {
    rewriter.todo(statement, "pass principalOf(info) as the option principal to the handler", section);
    return;
  }
  const members = [
    ...(third?.getProperties().map((one) => one.getText()) ?? []),
    `principal: principalOf(${info.getText()})`,
  ];
  const options = `{ ${members.join(", ")} }`;
  rewriter.use(entry, "principalOf");
  rewriter.change(
    removedStatement(statement),
    third ? replaced(third, options) : inserted(call.getArguments().at(-1)?.getEnd() ?? call.getEnd(), `, ${options}`),
  );
}

/** The call of the handler after `request.auth = info`; undefined where another call, or something else, needs the member. */
function onlyCallAfter(
  rewriter: FileRewriter,
  statement: Node,
  target: PropertyAccessExpression,
): CallExpression | undefined {
  const block = statement.getParent();
  if (!Node.isBlock(block) && !Node.isSourceFile(block)) return undefined;
  const around = statement.getAncestors().find((one) => Node.isFunctionLikeDeclaration(one)) ?? rewriter.file;
  const request = target.getExpression().getText();
  const calls = around
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((one) => one.getArguments()[0]?.getText() === request && isHandler(rewriter, one.getExpression()));
  const isUsed = around.getDescendants().some((one) => one !== target && readsAuth(one, request));
  const [call] = calls;
  const isAfter = call !== undefined && call.getStart() > statement.getEnd() && call.getAncestors().includes(block);
  return calls.length === 1 && isAfter && !isUsed ? call : undefined;
}

/** `request.auth`, `request["auth"]`, or `const { auth } = request`. */
function readsAuth(node: Node, request: string): boolean {
  if (Node.isPropertyAccessExpression(node))
    return node.getName() === "auth" && node.getExpression().getText() === request;
  if (Node.isElementAccessExpression(node)) return node.getExpression().getText() === request;
  return (
    Node.isVariableDeclaration(node) &&
    Node.isObjectBindingPattern(node.getNameNode()) &&
    node.getInitializer()?.getText() === request &&
    /\bauth\b|\.\.\./.test(node.getNameNode().getText())
  );
}

/** Whether a function is the result of `toNodeHandler`. */
function isHandler(rewriter: FileRewriter, callee: Node): boolean {
  const declaration = callee.getSymbol()?.getValueDeclaration();
  const made = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : callee;
  return Node.isCallExpression(made) && rewriter.officialName(made.getExpression()) === "toNodeHandler";
}
