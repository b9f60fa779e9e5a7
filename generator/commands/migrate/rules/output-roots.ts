import { Node } from "ts-morph";
import { declarationOf, onlyValue } from "./only-value.js";
import { isOfZod } from "./parsed-values.js";
import type { Rule } from "./rule.js";
import { literalOf } from "./wrap-shapes.js";

/** Functions of zod whose values are not objects. */
const others: ReadonlySet<string> = new Set([
  "array",
  "string",
  "number",
  "boolean",
  "bigint",
  "date",
  "enum",
  "literal",
  "tuple",
  "set",
  "null",
  "int",
]);

/** Marks outputs that clients of older revisions receive in another form. */
export const outputRoots: Rule = {
  id: "output-roots",
  summary:
    "Tools whose `outputSchema` is not an object get a comment: older clients receive text instead of `{ result }`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee) || callee.getName() !== "registerTool") return;
      if (rewriter.officialType(callee.getExpression()) !== "McpServer") return;
      const config = literalOf(node.getArguments()[1]);
      const member = config?.getProperty("outputSchema");
      const schema = Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
      if (schema?.getSourceFile() === rewriter.file && isOther(schema))
        rewriter.todo(
          schema,
          "clients before 2026-07-28 get this output as text, not as { result }; without content, all get the text, too",
          "tools-resources-and-prompts",
        );
    });
  },
};

function isOther(schema: Node): boolean {
  const value = Node.isIdentifier(schema) ? onlyValue(declarationOf(schema)) : schema;
  const callee = Node.isCallExpression(value) ? value.getExpression() : undefined;
  if (!value || !Node.isPropertyAccessExpression(callee) || !isOfZod(value)) return false;
  const owner = callee.getExpression();
  return Node.isIdentifier(owner) ? others.has(callee.getName()) : isOther(owner);
}
