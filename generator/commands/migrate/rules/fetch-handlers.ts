import { type CallExpression, type FunctionDeclaration, Node, SyntaxKind } from "ts-morph";
import { type Edit, type FileRewriter, referencesIn, removedStatement, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Passes the handler itself to `toNodeHandler`, where a function around it only checks what the handler checks, too. */
export const fetchHandlers: Rule = {
  id: "fetch-handlers",
  summary: "`toNodeHandler({ fetch })` of a function that only guards a handler becomes `toNodeHandler(handler)`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isCallExpression(node) && rewriter.officialName(node.getExpression()) === "toNodeHandler")
        ofCall(rewriter, node);
    });
  },
};

function ofCall(rewriter: FileRewriter, call: CallExpression): void {
  const [host] = call.getArguments();
  const [member, ...others] = Node.isObjectLiteralExpression(host) ? host.getProperties() : [];
  if (!member || others.length > 0 || !Node.isObjectLiteralExpression(host)) return;
  const isFetch = Node.isPropertyAssignment(member) && member.getName() === "fetch";
  const respond = isFetch ? functionOf(member.getInitializer()) : undefined;
  // Other rules rewrite these checks first.
  if (respond && /ValidationResponse\(| instanceof Response\b/.test(respond.getText())) return;
  const handler = respond && handlerOf(rewriter, respond);
  if (handler === undefined) {
    rewriter.todo(call, "pass the result of createMcpHandler, and check requests in front of it", "web-frameworks");
    return;
  }
  rewriter.change(replaced(host, handler), ...unusedEdits(rewriter, respond));
}

function functionOf(value: Node | undefined): FunctionDeclaration | undefined {
  const declaration = value?.getSymbol()?.getValueDeclaration();
  return Node.isFunctionDeclaration(declaration) ? declaration : undefined;
}

/** The handler behind a function that does nothing else but check `Host` and `Origin` as the handler does. */
function handlerOf(rewriter: FileRewriter, respond: FunctionDeclaration | undefined): string | undefined {
  const body = respond?.getBody();
  const statements = Node.isBlock(body) ? body.getStatements() : [];
  const served = statements.at(-1);
  const checks = statements.slice(0, -1).map((one) => one.getText());
  // The result of the rule host-guards.
  const isGuard = /^const (\w+) =\s+hostGuard\.check\(\w+\);\s*if \(\1\) (?:\{\s*)?return \1;(?:\s*\})?$/;
  if (checks.length > 0 && !isGuard.test(checks.join("\n"))) return undefined;
  const call = Node.isReturnStatement(served) ? served.getExpression() : undefined;
  const fetched = Node.isCallExpression(call) && call.getArguments().length === 1 ? call.getExpression() : undefined;
  if (!Node.isPropertyAccessExpression(fetched) || fetched.getName() !== "fetch") return undefined;
  const handler = fetched.getExpression();
  return rewriter.officialType(handler) === "McpHttpHandler" && Node.isIdentifier(handler)
    ? handler.getText()
    : undefined;
}

/** Removes the function, and the guard that only it has used. */
function unusedEdits(rewriter: FileRewriter, respond: FunctionDeclaration | undefined): readonly Edit[] {
  const name = respond?.getNameNode();
  if (!respond || !name || respond.isExported() || referencesIn(rewriter.file, name).length > 1) return [];
  const guard = rewriter.file
    .getDescendantsOfKind(SyntaxKind.VariableStatement)
    .find((one) => one.getText() === "const hostGuard = createHostGuard();");
  const guardName = guard?.getDeclarations()[0]?.getNameNode();
  const uses = Node.isIdentifier(guardName) ? referencesIn(rewriter.file, guardName) : [];
  if (!guard || uses.some((one) => !one.getAncestors().includes(respond))) return [removedStatement(respond)];
  rewriter.imports.delete("@mcpwright/runtime/server/http createHostGuard");
  return [removedStatement(respond), removedStatement(guard)];
}
