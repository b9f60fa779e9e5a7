import { Node, type CallExpression } from "ts-morph";
import { type FileRewriter, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

const challengeHeader = "www-authenticate";

/** Writes out functions that are too small for a counterpart. */
export const smallFunctions: Rule = {
  id: "small-functions",
  summary:
    "`isJsonContentType(type)` becomes a comparison, and `extractWWWAuthenticateParams(response)` becomes `bearerParameters`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const [type, ...others] = node.getArguments();
      if (rewriter.officialName(node.getExpression()) === "extractWWWAuthenticateParams") ofChallenge(rewriter, node);
      if (rewriter.officialName(node.getExpression()) !== "isJsonContentType" || !type || others.length > 0) return;
      const [none, end, json] = ["", ";", "application/json"].map((one) => rewriter.string(one));
      const text = `(${type.getText()} ?? ${none}).split(${end})[0]?.trim().toLowerCase() === ${json}`;
      rewriter.change(replaced(node, isWhole(node) ? text : `(${text})`));
    });
  },
};

/** `extractWWWAuthenticateParams(response).error`: of its members, these two have the same name and type. */
function ofChallenge(rewriter: FileRewriter, call: CallExpression): void {
  const [response] = call.getArguments();
  const access = call.getParent();
  const isSame = Node.isPropertyAccessExpression(access) && /^(?:error|scope)$/.test(access.getName());
  if (!response || !isSame) {
    rewriter.todo(call, "call bearerParameters(header): its members are named as in the header", "authorization");
    return;
  }
  rewriter.use("@mcpwright/runtime/auth", "bearerParameters");
  const header = `${response.getText()}.headers.get(${rewriter.string(challengeHeader)})`;
  rewriter.change(replaced(call, `bearerParameters(${header} ?? undefined)`));
}

/** Whether an expression needs no parentheses at a place. */
function isWhole(call: CallExpression): boolean {
  const parent = call.getParent();
  return (
    (Node.isCallExpression(parent) && parent.getExpression() !== call) ||
    Node.isVariableDeclaration(parent) ||
    Node.isIfStatement(parent) ||
    Node.isReturnStatement(parent)
  );
}
