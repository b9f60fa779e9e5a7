import { Node, ts } from "ts-morph";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { Span } from "../../shared/model/source.js";

export type Locate = (node: Node) => Span;

/** @throws DiagnosticError unsupported-construct at the node */
export function unsupported(node: Node, construct: string, span: Locate): never {
  return fail("unsupported-construct", { construct }, span(node));
}

export function describe(node: Node): string {
  if (Node.isTypeOperatorTypeNode(node)) return `the type operator ${ts.tokenToString(node.getOperator()) ?? ""}`;
  const kind = node.getKindName();
  if (kind.endsWith("Keyword")) return `the type ${node.getText()}`;
  const words = kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}
