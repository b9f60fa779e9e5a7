import { Node, SyntaxKind } from "ts-morph";
import type { Rule } from "./rule.js";

const owners: ReadonlySet<string> = new Set(["Server", "McpServer", "Client", "RegisteredItem", "HandlerContext"]);

/** Marks what programs take from the inside of the official SDK: casts hide from the compiler that it is missing here. */
export const privateMembers: Rule = {
  id: "private-members",
  summary: "Private members of the official SDK, such as `_requestHandlers`, get a comment, also behind casts.",
  run(rewriter) {
    for (const access of rewriter.file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
      const name = access.getName();
      if (!/^_(?!meta$)/.test(name)) continue;
      const owner = rewriter.officialType(withoutCasts(access.getExpression())) ?? "";
      if (owners.has(owner))
        rewriter.todo(access, `${name} has no counterpart${remedies[owner] ?? ""}`, "replace-members");
    }
  },
};

const remedies: Readonly<Record<string, string>> = {
  Server: ": middleware sees all requests",
  McpServer: ": middleware sees all requests",
};

function withoutCasts(node: Node): Node {
  if (
    Node.isAsExpression(node) ||
    Node.isParenthesizedExpression(node) ||
    Node.isNonNullExpression(node) ||
    Node.isTypeAssertion(node)
  )
    return withoutCasts(node.getExpression());
  return node;
}
