import { Node } from "ts-morph";
import { type FileRewriter, referencesIn, replaced } from "../file-rewriter.js";
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
  const isDirect = Node.isObjectLiteralExpression(node);
  const accesses = isDirect ? [] : accessesOf(rewriter, node);
  if (!literal || !accesses) {
    const late = Object.keys(renamed).find((name) => node.getType().getProperty(name) !== undefined);
    if (late !== undefined)
      rewriter.todo(
        node,
        `rename ${late} to ${renamed[late] ?? late} in these options, which are also used in another way`,
        "replace-members",
      );
    return;
  }
  for (const member of literal.getProperties()) {
    if (Node.isSpreadAssignment(member)) {
      renameOptions(rewriter, member.getExpression());
      continue;
    }
    const name = member.getName();
    const to = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
    if (to === undefined) continue;
    const uses = accesses.filter((one) => one.getText() === name).map((one) => replaced(one, to));
    if (literal.getSourceFile() !== rewriter.file)
      rewriter.todo(node, `rename ${name} to ${to} in these options`, "replace-members");
    else if (Node.isShorthandPropertyAssignment(member)) rewriter.change(replaced(member, `${to}: ${name}`), ...uses);
    else if (Node.isPropertyAssignment(member) || Node.isMethodDeclaration(member))
      rewriter.change(replaced(member.getNameNode(), to), ...uses);
  }
}

/**
 * The names of the members that the file reads from the variable of options. Undefined if something else happens to it than a call of
 * a method of the SDK, for which the names of its members may matter.
 */
function accessesOf(rewriter: FileRewriter, options: Node): readonly Node[] | undefined {
  if (!Node.isIdentifier(options)) return [];
  const declaration = options.getSymbol()?.getValueDeclaration();
  const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  if (!Node.isIdentifier(name) || name.getSourceFile() !== rewriter.file) return [];
  const accesses: Node[] = [];
  for (const use of referencesIn(rewriter.file, name)) {
    const parent = use.getParent();
    if (Node.isPropertyAccessExpression(parent)) accesses.push(parent.getNameNode());
    else if (!isPassedToSdk(rewriter, use)) return undefined;
  }
  return accesses;
}

/** Whether an argument, or an object that is spread in one, goes to a method of an official class. */
function isPassedToSdk(rewriter: FileRewriter, use: Node): boolean {
  const parent = use.getParent();
  if (Node.isSpreadAssignment(parent)) return isPassedToSdk(rewriter, parent.getParent());
  const callee = Node.isCallExpression(parent) ? parent.getExpression() : undefined;
  return Node.isPropertyAccessExpression(callee) && rewriter.officialType(callee.getExpression()) !== undefined;
}
