import { Node, SyntaxKind, type TypeReferenceNode } from "ts-morph";
import { type Edit, type FileRewriter, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";
import { literalOf } from "./wrap-shapes.js";

/** Types of messages that callbacks return, and what the runtime calls them. */
const results: Readonly<Record<string, string>> = {
  CallToolResult: "ToolResult",
  ReadResourceResult: "ResourceResult",
  GetPromptResult: "PromptResult",
  InputRequiredResult: "InputRequired",
};

/** Annotates what servers return with the types of results, which lack the members that the runtime adds. */
export const resultTypes: Rule = {
  id: "result-types",
  summary: "`Promise<CallToolResult>` of functions that return a server's results becomes `Promise<ToolResult>`.",
  run(rewriter) {
    if (!isServerFile(rewriter)) return;
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isTypeReference(node)) return;
      const name = node.getTypeName().getText();
      if (!Object.hasOwn(results, name) || !isImported(rewriter, name)) return;
      const annotation = annotationOfStructured(node);
      if (annotation) {
        rewriter.change(annotation);
        return;
      }
      const to = results[name] ?? name;
      rewriter.use("@mcpwright/runtime/server", to, true);
      rewriter.change(replaced(node.getTypeName(), to));
    });
  },
};

/**
 * The return type of a tool's callback that has an output schema: the type of its structured content is not known here, but the
 * compiler infers it.
 */
function annotationOfStructured(type: TypeReferenceNode): Edit | undefined {
  const [outer] =
    type.getParentIfKind(SyntaxKind.TypeReference)?.getText().startsWith("Promise<") === true
      ? [type.getParentOrThrow()]
      : [type];
  const callback = outer.getParent();
  if (!Node.isArrowFunction(callback) && !Node.isFunctionExpression(callback)) return undefined;
  const call = callback.getParent();
  if (
    callback.getReturnTypeNode() !== outer ||
    !Node.isCallExpression(call) ||
    !call.getExpression().getText().endsWith(".registerTool")
  )
    return undefined;
  if (!literalOf(call.getArguments()[1])?.getProperty("outputSchema")) return undefined;
  const text = type.getSourceFile().getFullText();
  return { start: text.lastIndexOf(")", outer.getStart()) + 1, end: outer.getEnd(), text: "" };
}

function isImported(rewriter: FileRewriter, name: string): boolean {
  return rewriter.file
    .getImportDeclarations()
    .some(
      (one) =>
        one.getModuleSpecifierValue().startsWith("@modelcontextprotocol/") &&
        one.getNamedImports().some((item) => item.getName() === name && !item.getAliasNode()),
    );
}

/** Clients receive these types as they are on the wire. */
function isServerFile({ file }: FileRewriter): boolean {
  return !/["']@modelcontextprotocol\/(?:client|sdk\/client)/.test(file.getFullText());
}

/** What the runtime calls the type of a server's result, such as `CallToolResult`. */
export function resultType(
  rewriter: FileRewriter,
  name: string,
): { readonly from: string; readonly name: string } | undefined {
  const to = Object.hasOwn(results, name) && isServerFile(rewriter) ? results[name] : undefined;
  return to === undefined ? undefined : { from: "@mcpwright/runtime/server", name: to };
}
