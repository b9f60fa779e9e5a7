import type { JSDocableNode, Node } from "ts-morph";
import { readComment } from "./comment.js";
import { unsupported, type Locate } from "./unsupported.js";

/** The text and tags of the doc comment directly before a declaration or member. */
export function readDoc(node: JSDocableNode & Node, span: Locate): ReturnType<typeof readComment> {
  const last = node.getLeadingCommentRanges().findLast((range) => range.getText().startsWith("/*"));
  const attached = last && !/\n[ \t]*\n/.test(node.getSourceFile().getFullText().slice(last.getEnd(), node.getStart()));
  return readComment(attached ? last.getText() : "", (reason) => unsupported(node, reason, span));
}
