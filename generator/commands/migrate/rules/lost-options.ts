import { Node, SyntaxKind } from "ts-morph";
import type { Rule } from "./rule.js";

/** Options of the official SDK that have no counterpart, and what to do. JavaScript would ignore them without a word. */
const lost: Readonly<Record<string, string>> = {
  cacheMode: "cacheMode has no counterpart: cache is an option of Client",
  resumptionToken: "resumptionToken has no counterpart: the transport resumes streams itself",
  onresumptiontoken: "onresumptiontoken has no counterpart: the transport resumes streams itself",
  autoFulfill: "autoFulfill has no counterpart: clients answer questions with their handlers",
  supportedProtocolVersions: "supportedProtocolVersions has no counterpart: pass revisions",
};

/** Marks options that have no counterpart. */
export const lostOptions: Rule = {
  id: "lost-options",
  summary: "`cacheMode`, `resumptionToken`, `autoFulfill`, `supportedProtocolVersions` get a comment.",
  run(rewriter) {
    for (const literal of rewriter.file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)) {
      for (const member of literal.getProperties()) {
        if (Node.isSpreadAssignment(member) || !Object.hasOwn(lost, member.getName())) continue;
        if (usesSdk(rewriter.file)) rewriter.todo(member, lost[member.getName()] ?? "", "replace-members");
      }
    }
  },
};

function usesSdk(file: Node): boolean {
  return /["']@(?:modelcontextprotocol|mcpwright)\//.test(file.getText());
}
