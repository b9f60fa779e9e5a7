import { type CallExpression, type IfStatement, Node, type VariableDeclaration } from "ts-morph";
import {
  type Edit,
  type FileRewriter,
  indentOf,
  inserted,
  referencesIn,
  removedStatement,
  replaced,
} from "../file-rewriter.js";
import { callOf } from "./context-members.js";
import type { Rule } from "./rule.js";

/** Functions that return a check of requests of Node. */
const ofNode: ReadonlySet<string> = new Set(["localhostHostValidation", "localhostOriginValidation"]);

/** Functions that return the response to a request that is not allowed, and the function of their list. */
const ofWeb: Readonly<Record<string, string>> = {
  hostHeaderValidationResponse: "localhostAllowedHostnames",
  originValidationResponse: "localhostAllowedOrigins",
};

/** Replaces the checks of `Host` and `Origin` that only allow this machine by one guard, which checks both. */
export const hostGuards: Rule = {
  id: "host-guards",
  summary:
    "`localhostHostValidation()` and `localhostOriginValidation()` become a guard of `createHostGuard`, and so do the checks of a `Request`.",
  run(rewriter) {
    const guards: VariableDeclaration[] = [];
    rewriter.file.forEachDescendant((node) => {
      if (Node.isIfStatement(node)) ofCheck(rewriter, node);
      if (!Node.isCallExpression(node)) return;
      const name = rewriter.officialName(node.getExpression()) ?? "";
      if (Object.hasOwn(ofWeb, name)) ofRequest(rewriter, node, ofWeb[name] ?? "");
      if (!ofNode.has(name)) return;
      const declaration = node.getParent();
      if (Node.isVariableDeclaration(declaration)) guards.push(declaration);
    });
    for (const guard of guards) removeUnused(rewriter, guard);
  },
};

/** `if (!isHost(request, response) || !isOrigin(request, response)) return;` puts the statements behind it into a callback. */
function ofCheck(rewriter: FileRewriter, check: IfStatement): void {
  const calls = checksOf(rewriter, check.getExpression());
  const [first] = calls ?? [];
  if (!first) return;
  const block = check.getParent();
  const [request, response] = first.getArguments().map((one) => one.getText());
  const top = check.getAncestors().findLast((one) => Node.isStatement(one));
  const isReturn = /^(?:\{\s*)?return;?(?:\s*\})?$/.test(check.getThenStatement().getText());
  const isBody = Node.isBlock(block) && Node.isFunctionLikeDeclaration(block.getParent());
  if (!isReturn || check.getElseStatement() || !isBody || !top || request === undefined || response === undefined) {
    rewriter.todo(
      check,
      "use toNodeGuard(createHostGuard()), which calls a function for requests that are allowed",
      "web-frameworks",
    );
    return;
  }
  const rest = block.getStatements().filter((one) => one.getStart() > check.getStart());
  const isAsync = rest.some((one) => awaits(one)) ? "async " : "";
  rewriter.use("@mcpwright/runtime/server/http", "createHostGuard");
  rewriter.use("@mcpwright/runtime/node", "toNodeGuard");
  rewriter.change(
    inserted(top.getStart(), `const hostGuard = toNodeGuard(createHostGuard());\n${indentOf(top)}`),
    replaced(check, `hostGuard(${request}, ${response}, ${isAsync}() => {`),
    inserted(rest.at(-1)?.getEnd() ?? check.getEnd(), `\n${indentOf(check)}});`),
  );
}

/** The calls in `!a(…) || !b(…)`; undefined if it is something else. */
function checksOf(rewriter: FileRewriter, condition: Node): readonly CallExpression[] | undefined {
  if (Node.isBinaryExpression(condition) && condition.getOperatorToken().getText() === "||") {
    const [left, right] = [checksOf(rewriter, condition.getLeft()), checksOf(rewriter, condition.getRight())];
    return left && right && [...left, ...right];
  }
  if (!Node.isPrefixUnaryExpression(condition) || !condition.getText().startsWith("!")) return undefined;
  const call = condition.getOperand();
  if (!Node.isCallExpression(call)) return undefined;
  const declaration = call.getExpression().getSymbol()?.getValueDeclaration();
  const made = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
  const name = Node.isCallExpression(made) ? rewriter.officialName(made.getExpression()) : undefined;
  return name !== undefined && ofNode.has(name) ? [call] : undefined;
}

function awaits(node: Node): boolean {
  if (Node.isFunctionLikeDeclaration(node)) return false;
  return Node.isAwaitExpression(node) || node.getChildren().some(awaits);
}

function removeUnused(rewriter: FileRewriter, guard: VariableDeclaration): void {
  const [name, statement] = [guard.getNameNode(), guard.getVariableStatement()];
  if (!Node.isIdentifier(name) || statement?.getDeclarations().length !== 1) return;
  if (referencesIn(rewriter.file, name).length === 0) rewriter.change(removedStatement(statement));
  else if (!referencesIn(rewriter.file, name).every((one) => callOf(one)))
    rewriter.todo(guard, "use toNodeGuard(createHostGuard()) as the middleware", "web-frameworks");
}

/** `hostHeaderValidationResponse(request, localhostAllowedHostnames())`, also with the check of the origin behind `??`. */
function ofRequest(rewriter: FileRewriter, call: CallExpression, list: string): void {
  const [request, allowed] = call.getArguments();
  const isLocal = Node.isCallExpression(allowed) && rewriter.officialName(allowed.getExpression()) === list;
  const top = call.getAncestors().findLast((one) => Node.isStatement(one));
  if (!request || !isLocal || !top) {
    rewriter.todo(call, "use createHostGuard({ allowedHosts, allowedOrigins }).check(request)", "web-frameworks");
    return;
  }
  const both = call.getParent();
  const partner = Node.isBinaryExpression(both) && both.getOperatorToken().getText() === "??" ? both : undefined;
  const isFirst = partner?.getLeft() === call;
  const other = partner && (isFirst ? partner.getRight() : partner.getLeft());
  const isPair =
    Node.isCallExpression(other) && Object.hasOwn(ofWeb, rewriter.officialName(other.getExpression()) ?? "");
  // The first of two checks replaces both.
  if (isPair && !isFirst) return;
  rewriter.use("@mcpwright/runtime/server/http", "createHostGuard");
  const edits: Edit[] = [replaced(isPair && partner ? partner : call, `hostGuard.check(${request.getText()})`)];
  if (!/\bconst hostGuard = createHostGuard\(/.test(rewriter.file.getFullText()))
    edits.push(inserted(top.getStart(), "const hostGuard = createHostGuard();\n"));
  rewriter.change(...edits);
}
