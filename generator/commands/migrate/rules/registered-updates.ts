import { Node } from "ts-morph";
import { receiverOf, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** Rewrites what `update` of a registered tool does not take. */
export const registeredUpdates: Rule = {
  id: "registered-updates",
  summary: "`tool.update({ enabled })` and `tool.update({ name: null })` become `enable`, `disable` and `remove`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee) || callee.getName() !== "update") return;
      if (rewriter.officialType(callee.getExpression()) !== "RegisteredItem") return;
      const [changes] = node.getArguments();
      const members = Node.isObjectLiteralExpression(changes) ? changes.getProperties() : [];
      const [only] = members;
      const tool = receiverOf(callee);
      const name = members.length === 1 && Node.isPropertyAssignment(only) ? only.getName() : undefined;
      const value = Node.isPropertyAssignment(only) ? only.getInitializerOrThrow().getText() : "";
      if (name === "name" && value === "null") rewriter.change(replaced(node, `${tool}.remove()`));
      else if (name === "enabled")
        rewriter.change(replaced(node, enabledBy(tool, value, Node.isExpressionStatement(node.getParent()))));
      else if (
        !Node.isObjectLiteralExpression(changes) ||
        members.some(
          (one) => Node.isSpreadAssignment(one) || /^(?:enabled|paramsSchema|argsSchema)$/.test(one.getName()),
        )
      )
        rewriter.todo(
          node,
          "update takes inputSchema with a callback; enable and disable are methods",
          "replace-members",
        );
    });
  },
};

function enabledBy(tool: string, value: string, isStatement: boolean): string {
  if (value === "true") return `${tool}.enable()`;
  if (value === "false") return `${tool}.disable()`;
  if (isStatement && !tool.endsWith("?")) return `${tool}[${value} ? "enable" : "disable"]()`;
  const choice = `${value} ? ${tool}.enable() : ${tool}.disable()`;
  return isStatement ? choice : `(${choice})`;
}
