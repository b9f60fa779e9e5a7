import { Node, type CallExpression } from "ts-morph";
import { type FileRewriter, inserted, referencesIn } from "../file-rewriter.js";
import { callOf } from "./context-members.js";
import type { Rule } from "./rule.js";

/** Passes bodies that a framework has parsed as an option. */
export const parsedBodies: Rule = {
  id: "parsed-bodies",
  summary:
    "`handle(request, response, request.body)` of `toNodeHandler` becomes `handle(request, response, { parsedBody: request.body })`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node) || rewriter.officialName(node.getExpression()) !== "toNodeHandler") return;
      const declaration = node.getParent();
      const direct = callOf(node);
      if (direct) passOption(rewriter, direct);
      const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
      if (!Node.isIdentifier(name)) return;
      for (const reference of referencesIn(rewriter.file, name)) {
        const call = callOf(reference);
        if (call) passOption(rewriter, call);
      }
    });
  },
};

function passOption(rewriter: FileRewriter, call: CallExpression): void {
  const [, , body] = call.getArguments();
  if (!body || Node.isObjectLiteralExpression(body)) return;
  rewriter.change(inserted(body.getStart(), "{ parsedBody: "), inserted(body.getEnd(), " }"));
}
