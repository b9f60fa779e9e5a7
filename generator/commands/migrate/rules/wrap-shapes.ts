import { Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import { type FileRewriter, inserted, referencesIn, replaced } from "../file-rewriter.js";
import { declarationOf, onlyValue } from "./only-value.js";
import type { Rule } from "./rule.js";

const schemaMembers: Readonly<Record<string, readonly string[]>> = {
  registerTool: ["inputSchema", "outputSchema"],
  registerPrompt: ["argsSchema"],
};

/** Wraps the members of schemas, which the official SDK wraps itself. */
export const wrapShapes: Rule = {
  id: "wrap-shapes",
  summary: "`inputSchema: { a: z.string() }` becomes `inputSchema: z.object({ a: z.string() })`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee)) return;
      const members = Object.hasOwn(schemaMembers, callee.getName()) ? schemaMembers[callee.getName()] : undefined;
      if (!members || rewriter.officialType(callee.getExpression()) !== "McpServer") return;
      const config = literalOf(node.getArguments()[1]);
      if (config && config.getSourceFile() !== rewriter.file) {
        if (members.some((name) => isUnwrapped(config.getProperty(name))))
          rewriter.todo(node, `wrap the schemas of this configuration, in its file: z.object({ … })`, section);
        return;
      }
      for (const spread of config?.getProperties() ?? []) wrapSpread(rewriter, spread, members);
      for (const name of members) {
        const member = config?.getProperty(name);
        if (Node.isPropertyAssignment(member)) wrapShape(rewriter, member.getInitializerOrThrow());
        else if (
          Node.isShorthandPropertyAssignment(member) &&
          literalOf(onlyValue(member.getValueSymbol()?.getValueDeclaration()))
        )
          rewriter.change(replaced(member, `${name}: ${zodName(rewriter)}.object(${name})`));
      }
    });
  },
};

/** `...common`, of a constant that is only spread. */
function wrapSpread(rewriter: FileRewriter, spread: Node, members: readonly string[]): void {
  const constant = Node.isSpreadAssignment(spread) ? spread.getExpression() : undefined;
  const literal = Node.isIdentifier(constant) ? literalOf(constant) : undefined;
  const shapes = members.flatMap((name) => {
    const member = literal?.getProperty(name);
    return Node.isPropertyAssignment(member) && isUnwrapped(member) ? [member.getInitializerOrThrow()] : [];
  });
  if (!constant || shapes.length === 0) return;
  const name = declarationOf(constant)?.getFirstChildByKind(SyntaxKind.Identifier);
  const isOnlySpread =
    literal?.getSourceFile() === rewriter.file &&
    name !== undefined &&
    referencesIn(rewriter.file, name).every((one) => Node.isSpreadAssignment(one.getParent()));
  if (isOnlySpread) for (const shape of shapes) wrapShape(rewriter, shape);
  else rewriter.todo(spread, "wrap the schemas of this configuration: z.object({ … })", section);
}

const section = "tools-resources-and-prompts";

function isUnwrapped(member: Node | undefined): boolean {
  return Node.isPropertyAssignment(member) && isShape(member.getInitializerOrThrow());
}

/** Wraps a schema if it is a raw shape; `schema.shape` becomes the schema. */
export function wrapShape(rewriter: FileRewriter, value: Node): void {
  const shape = Node.isAsExpression(value) || Node.isSatisfiesExpression(value) ? value.getExpression() : value;
  if (Node.isPropertyAccessExpression(shape) && shape.getName() === "shape")
    rewriter.change(replaced(value, shape.getExpression().getText()));
  else if (isShape(shape))
    rewriter.change(inserted(value.getStart(), `${zodName(rewriter)}.object(`), inserted(value.getEnd(), ")"));
}

/** Whether a value is an object literal, or a constant that is one. */
export function isShape(value: Node): boolean {
  return literalOf(value) !== undefined;
}

/** The object literal that a value is, directly or as a constant of the project. */
export function literalOf(value: Node | undefined): ObjectLiteralExpression | undefined {
  if (Node.isObjectLiteralExpression(value)) return value;
  if (Node.isAsExpression(value) || Node.isSatisfiesExpression(value)) return literalOf(value.getExpression());
  if (!Node.isIdentifier(value)) return undefined;
  return literalOf(onlyValue(declarationOf(value)));
}

/** The name by which the file knows zod; imported if there is none. */
export function zodName(rewriter: FileRewriter): string {
  for (const declaration of rewriter.file.getImportDeclarations()) {
    if (!/^zod(?:\/|$)/.test(declaration.getModuleSpecifierValue()) || declaration.isTypeOnly()) continue;
    const name =
      declaration.getNamespaceImport()?.getText() ??
      declaration.getDefaultImport()?.getText() ??
      declaration
        .getNamedImports()
        .find((one) => one.getName() === "z" && !one.isTypeOnly())
        ?.getAliasNode()
        ?.getText() ??
      (declaration.getNamedImports().some((one) => one.getName() === "z" && !one.isTypeOnly()) ? "z" : undefined);
    if (name !== undefined) return name;
  }
  for (const declaration of rewriter.file.getVariableDeclarations())
    if (/^require\(["']zod/.test(declaration.getInitializer()?.getText() ?? ""))
      return Node.isIdentifier(declaration.getNameNode()) ? declaration.getName() : "z";
  rewriter.use("zod", "z");
  return "z";
}
