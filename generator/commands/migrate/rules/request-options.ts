import { Node } from "ts-morph";
import { type FileRewriter, replaced } from "../file-rewriter.js";
import { literalOf } from "./wrap-shapes.js";

/** Options of requests, and their names here. */
const renamed: Readonly<Record<string, string>> = {
  timeout: "timeoutMs",
  maxTotalTimeout: "maxTotalMs",
  onprogress: "onProgress",
};

/** Renames the members of the options of a request, also of a constant. */
export function renameOptions(rewriter: FileRewriter, node: Node): void {
  const literal = literalOf(node);
  if (!literal) return;
  for (const member of literal.getProperties()) {
    if (Node.isSpreadAssignment(member)) {
      renameOptions(rewriter, member.getExpression());
      continue;
    }
    const to = Object.hasOwn(renamed, member.getName()) ? renamed[member.getName()] : undefined;
    if (to === undefined) continue;
    if (literal.getSourceFile() !== rewriter.file)
      rewriter.todo(node, `rename ${member.getName()} to ${to} in these options`, "replace-members");
    else if (Node.isShorthandPropertyAssignment(member))
      rewriter.change(replaced(member, `${to}: ${member.getName()}`));
    else if (Node.isPropertyAssignment(member) || Node.isMethodDeclaration(member))
      rewriter.change(replaced(member.getNameNode(), to));
  }
}
