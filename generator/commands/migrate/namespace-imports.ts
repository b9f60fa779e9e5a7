import { type ImportDeclaration, Node, type SourceFile } from "ts-morph";
import { type FileRewriter, referencesIn } from "./file-rewriter.js";
import { type NameTarget, type Side, targetOf } from "./name-targets.js";
import { resultType } from "./rules/result-types.js";

/** A member of a namespace that has a counterpart. */
export interface NamespaceUse {
  /** `mcp.Client`, in an expression or a type. */
  readonly node: Node;
  readonly target: NameTarget;
  readonly local: string;
  readonly isType: boolean;
}

/** The uses of `import * as mcp`; undefined if some have no counterpart, or something else is done with the namespace. */
export function namespaceUses(
  rewriter: FileRewriter,
  declaration: ImportDeclaration,
  side: Side,
): readonly NamespaceUse[] | undefined {
  const name = declaration.getNamespaceImport();
  if (!name) return undefined;
  const locals = new Map<string, string>();
  const uses: NamespaceUse[] = [];
  for (const reference of referencesIn(rewriter.file, name)) {
    const node = reference.getParent();
    const isType = Node.isQualifiedName(node) && node.getLeft() === reference;
    const member = isType
      ? node.getRight().getText()
      : Node.isPropertyAccessExpression(node) && node.getExpression() === reference
        ? node.getName()
        : undefined;
    const target = member === undefined ? undefined : (resultType(rewriter, member) ?? targetOf(member, side));
    if (!target) return undefined;
    const key = `${target.from} ${target.name}`;
    const local = locals.get(key) ?? localName(rewriter, target, name.getText());
    locals.set(key, local);
    uses.push({ node, target, local, isType });
  }
  return uses;
}

/** A name that the file uses for nothing else. */
function localName(rewriter: FileRewriter, { name }: NameTarget, namespace: string): string {
  if (importsSame(rewriter.file, name)) return name;
  return rewriter.freeName(name, `${namespace}${name}`);
}

/** Whether the file imports a name from the official SDK, too, under that name. */
function importsSame(file: SourceFile, name: string): boolean {
  return file.getImportDeclarations().some((one) => {
    if (!one.getModuleSpecifierValue().startsWith("@modelcontextprotocol/")) return false;
    return one.getNamedImports().some((item) => item.getName() === name && !item.getAliasNode());
  });
}
