import { Node, SyntaxKind } from "ts-morph";
import type { Rule } from "./rule.js";

/** Options of the official SDK that have no counterpart, and what to do. JavaScript would ignore them without a word. */
const lost: Readonly<Record<string, string>> = {
  responseCacheStore:
    "responseCacheStore has no counterpart: pass cache: new ResponseCache(), with the principal of the user",
  cachePartition: "cachePartition is the option principal, beside cache: new ResponseCache()",
  defaultCacheTtlMs: "defaultCacheTtlMs has no counterpart: results are kept as long as their server allows",
  resumptionToken: "resumptionToken has no counterpart: the transport resumes streams itself",
  onresumptiontoken: "onresumptiontoken has no counterpart: the transport resumes streams itself",
  supportedProtocolVersions: "supportedProtocolVersions has no counterpart: pass revisions",
};

/** Marks options that have no counterpart. */
export const lostOptions: Rule = {
  id: "lost-options",
  summary: "`resumptionToken`, `responseCacheStore`, `supportedProtocolVersions` and others get a comment.",
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
