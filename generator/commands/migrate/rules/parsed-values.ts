import { Node } from "ts-morph";
import { declarationOf, onlyValue } from "./only-value.js";

/** Parts of schemas of zod that change values. */
const changing =
  /\.(?:default|prefault|transform|overwrite|pipe|catch|trim|normalize|toLowerCase|toUpperCase|slugify)\(|\b(?:coerce|preprocess|codec|stringbool)\b/;

/** Whether values must be parsed by a schema, because it changes them. Undefined if it is not known to be a schema of zod. */
export function parsing(schema: Node): { readonly isNeeded: boolean } | undefined {
  const value = Node.isIdentifier(schema) ? onlyValue(declarationOf(schema)) : schema;
  if (!value || !isOfZod(value)) return undefined;
  const names = value.getDescendants().filter((one) => Node.isIdentifier(one) && isSchemaName(one));
  const inner = names.map((one) => onlyValue(declarationOf(one)));
  return { isNeeded: [value, ...inner].some((one) => one === undefined || changing.test(one.getText())) };
}

/** Whether a value begins with a name that is imported from zod. */
export function isOfZod(value: Node): boolean {
  const [root] = [value, ...value.getDescendants()].filter(Node.isIdentifier);
  const [declaration] = root?.getSymbol()?.getDeclarations() ?? [];
  const imported = declaration?.getAncestors().find(Node.isImportDeclaration);
  return /^zod(?:\/|$)/.test(imported?.getModuleSpecifierValue() ?? "");
}

/** Whether an identifier names another schema, and not a member or zod itself. */
function isSchemaName(name: Node): boolean {
  const parent = name.getParent();
  if (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === name) return false;
  if (Node.isPropertyAssignment(parent) && parent.getNameNode() === name) return false;
  const [declaration] = name.getSymbol()?.getDeclarations() ?? [];
  return declaration !== undefined && !declaration.getAncestors().some(Node.isImportDeclaration);
}
