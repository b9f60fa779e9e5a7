import { type CallExpression, Node, SyntaxKind } from "ts-morph";
import type { FileRewriter } from "../file-rewriter.js";
import { addOption } from "./callback-options.js";
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

/** Gives older clients the outputs that are not objects in the form in which the official SDK sends them. */
export const outputRoots: Rule = {
  id: "output-roots",
  summary:
    "Servers with a tool whose `outputSchema` is not an object get `middleware: [wrapOutputs()]`: older clients receive `{ result }`.",
  run(rewriter) {
    const calls = rewriter.file.getDescendantsOfKind(SyntaxKind.CallExpression);
    const [schema] = calls.flatMap((call) => otherOutput(rewriter, call) ?? []);
    if (!schema) return;
    const creations = rewriter.file
      .getDescendantsOfKind(SyntaxKind.NewExpression)
      .filter((one) => rewriter.officialName(one.getExpression()) === "McpServer");
    if (creations.length === 0)
      rewriter.todo(
        schema,
        "clients before 2026-07-28 get this output as text, not as { result }: pass middleware: [wrapOutputs()] to McpServer",
        "tools-resources-and-prompts",
      );
    for (const creation of creations) {
      const options = creation.getArguments()[1];
      if (Node.isObjectLiteralExpression(options) && options.getProperty("middleware")) continue;
      rewriter.use("@mcpwright/runtime/server", "wrapOutputs");
      rewriter.change(...addOption(creation, "middleware", "[wrapOutputs()]"));
    }
  },
};

/** The output schema of a registered tool, if it is not an object. */
function otherOutput(rewriter: FileRewriter, call: CallExpression): Node | undefined {
  const callee = call.getExpression();
  if (!Node.isPropertyAccessExpression(callee) || callee.getName() !== "registerTool") return undefined;
  if (rewriter.officialType(callee.getExpression()) !== "McpServer") return undefined;
  const member = literalOf(call.getArguments()[1])?.getProperty("outputSchema");
  const schema = Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
  return schema?.getSourceFile() === rewriter.file && isOther(schema) ? schema : undefined;
}

function isOther(schema: Node): boolean {
  const value = Node.isIdentifier(schema) ? onlyValue(declarationOf(schema)) : schema;
  const callee = Node.isCallExpression(value) ? value.getExpression() : undefined;
  if (!value || !Node.isPropertyAccessExpression(callee) || !isOfZod(value)) return false;
  const owner = callee.getExpression();
  return Node.isIdentifier(owner) ? others.has(callee.getName()) : isOther(owner);
}
