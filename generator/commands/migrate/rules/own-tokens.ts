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
  removedStatement,
  replaced,
} from "../file-rewriter.js";
import { addOption } from "./callback-options.js";
import { declared, nodeHandler, protectedUses } from "./protected-routes.js";
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
  readonly handlerName: Identifier;
  readonly handlerStatement: VariableStatement;
}

function ofMiddleware(rewriter: FileRewriter, call: CallExpression): void {
  const parts = partsOf(rewriter, call);
  const uses = parts && protectedUses(rewriter, parts.name, parts.handlerName);
  const metadata = parts && metadataRouter(rewriter);
  if (!parts || !uses || metadata === null) {
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
    ...uses.flatMap(({ edits: removal }) => removal),
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
  const { name: handlerName, statement: handlerStatement } = served;
  if (!isPlain || statement.isExported() || statement.getParent() !== handlerStatement.getParent()) return undefined;
  const top = handlerStatement.getStart();
  const isMovable = statement.getStart() < top || isDeclaredBefore(options, top);
  return isMovable ? { name, statement, options, handler, handlerName, handlerStatement } : undefined;
}

/** Whether the variables and classes of this file in an expression are declared above a place. */
function isDeclaredBefore(expression: Node, place: number): boolean {
  return expression.getDescendantsOfKind(SyntaxKind.Identifier).every((one) => {
    const parent = one.getParent();
    const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : one.getSymbol();
    return (symbol?.getDeclarations() ?? []).every(
      (declaration) =>
        !(Node.isVariableDeclaration(declaration) || Node.isClassDeclaration(declaration)) ||
        declaration.getSourceFile() !== expression.getSourceFile() ||
        declaration.getAncestors().includes(expression) ||
        declaration.getStart() < place,
    );
  });
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
    .filter(
      (one) => one.getArguments()[0]?.getText() === request && nodeHandler(rewriter, one.getExpression()) !== undefined,
    );
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
