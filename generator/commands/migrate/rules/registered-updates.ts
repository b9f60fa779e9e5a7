import { Node } from "ts-morph";
import { replaced } from "../file-rewriter.js";
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
      if (rewriter.officialType(callee.getExpression()) !== "RegisteredTool") return;
      const [changes] = node.getArguments();
      const members = Node.isObjectLiteralExpression(changes) ? changes.getProperties() : [];
      const [only] = members;
      const tool = callee.getExpression().getText();
      if (members.length === 1 && Node.isPropertyAssignment(only)) {
        const value = only.getInitializerOrThrow().getText();
        if (only.getName() === "name" && value === "null") rewriter.change(replaced(node, `${tool}.remove()`));
        else if (only.getName() === "enabled")
          rewriter.change(replaced(node, enabledBy(tool, value, Node.isExpressionStatement(node.getParent()))));
      } else if (members.some((one) => /^(?:enabled|paramsSchema)\b/.test(one.getText())))
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
  return isStatement
    ? `${tool}[${value} ? "enable" : "disable"]()`
    : `(${value} ? ${tool}.enable() : ${tool}.disable())`;
}
