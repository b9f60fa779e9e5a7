import {
  type CallExpression,
  type Identifier,
  Node,
  type ObjectLiteralExpression,
  type PropertyAssignment,
} from "ts-morph";
import { type FileRewriter, inserted, referencesIn, replaced } from "../file-rewriter.js";
import { onlyValue } from "./only-value.js";
import type { Rule } from "./rule.js";

/** Moves completions from schemas to the configuration of the prompt. */
export const completions: Rule = {
  id: "completions",
  summary: "`completable(schema, complete)` in `argsSchema` becomes the schema, and `complete` beside it.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isPropertyAssignment(node) || node.getName() !== "argsSchema") return;
      const config = node.getParent();
      const shape = shapeOf(node.getInitializer());
      if (!shape || !Node.isObjectLiteralExpression(config)) return;
      rewriteShape(rewriter, node, config, shape);
    });
  },
};

/** The members of `z.object({ … })`, also without the call, or in a constant that is used only here. */
function shapeOf(value: Node | undefined): ObjectLiteralExpression | undefined {
  if (Node.isObjectLiteralExpression(value)) return value;
  if (Node.isIdentifier(value)) return shapeOf(valueUsedOnce(value));
  return Node.isCallExpression(value) ? shapeOf(value.getArguments()[0]) : undefined;
}

/** The value of a constant of the same block, so that its names mean the same there. */
function valueUsedOnce(name: Identifier): Node | undefined {
  const declaration = name.getSymbol()?.getValueDeclaration();
  if (!Node.isVariableDeclaration(declaration) || declaration.getTypeNode()) return undefined;
  if (declaration.getVariableStatement()?.isExported() !== false || blockOf(declaration) !== blockOf(name))
    return undefined;
  const declared = declaration.getNameNode();
  const isUsedOnce = Node.isIdentifier(declared) && referencesIn(name.getSourceFile(), declared).length === 1;
  return isUsedOnce ? onlyValue(declaration) : undefined;
}

function blockOf(node: Node): Node | undefined {
  return node.getFirstAncestor((one) => Node.isBlock(one) || Node.isSourceFile(one));
}

function rewriteShape(
  rewriter: FileRewriter,
  schema: PropertyAssignment,
  config: ObjectLiteralExpression,
  shape: ObjectLiteralExpression,
): void {
  const found: { readonly name: string; readonly call: CallExpression }[] = [];
  for (const member of shape.getProperties()) {
    if (!Node.isPropertyAssignment(member)) continue;
    const call = member.getInitializerOrThrow().getFirstDescendant((one) => isCompletable(rewriter, one));
    const own = isCompletable(rewriter, member.getInitializer()) ? member.getInitializer() : call;
    if (Node.isCallExpression(own) && own.getArguments().length === 2)
      found.push({ name: member.getNameNode().getText(), call: own });
  }
  if (found.length === 0) return;
  if (config.getProperty("complete")) {
    for (const { call } of found)
      rewriter.todo(call, "move this completion to the member complete", "names-servers-and-both-sides");
    return;
  }
  const completers = found.map(({ name, call }) => `${name}: ${completer(call)}`).join(", ");
  rewriter.change(
    ...found.map(({ call }) => replaced(call, call.getArguments()[0]?.getText() ?? "")),
    inserted(schema.getEnd(), `,${gapBefore(schema)}complete: { ${completers} }`),
  );
}

/** A line end with the indentation of the member, or a blank. */
function gapBefore(member: Node): string {
  const before = member.getSourceFile().getFullText().slice(0, member.getStart());
  return /\r?\n[ \t]*$/.exec(before)?.[0] ?? " ";
}

/** Values of completers are strings here; schemas that convert them get the text. */
function completer(call: CallExpression): string {
  return call.getArguments()[1]?.getText() ?? "";
}

function isCompletable(rewriter: FileRewriter, node: Node | undefined): boolean {
  return Node.isCallExpression(node) && rewriter.officialName(node.getExpression()) === "completable";
}
