import { ts, type TemplateLiteralTypeNode } from "ts-morph";
import type { TypeExpression } from "../../shared/model/source.js";
import { unsupported, type Locate } from "./unsupported.js";

/**
 * A template literal type: the texts between its `${string}`. Texts are joined where a placeholder is a literal, and
 * placeholders where there is no text between them.
 */
export function readTemplate(node: TemplateLiteralTypeNode, span: Locate): TypeExpression {
  const { head, templateSpans } = node.compilerNode;
  const texts = [head.text];
  for (const { type, literal } of templateSpans) {
    const value = literalText(type);
    if (value === undefined && type.kind !== ts.SyntaxKind.StringKeyword)
      return unsupported(node, "a template literal type with a placeholder other than `${string}`", span);
    const last = texts.at(-1) ?? "";
    if (value !== undefined) texts[texts.length - 1] = last + value + literal.text;
    else if (last === "" && texts.length > 1) texts[texts.length - 1] = literal.text;
    else texts.push(literal.text);
  }
  const [only, ...more] = texts;
  if (more.length === 0) return { kind: "literal", value: only ?? "" };
  return texts.every((text) => text === "")
    ? { kind: "primitive", name: "string" }
    : { kind: "template", texts, span: span(node) };
}

function literalText(type: ts.TypeNode): string | undefined {
  if (!ts.isLiteralTypeNode(type)) return undefined;
  const { literal } = type;
  return ts.isStringLiteral(literal) || ts.isNumericLiteral(literal) ? literal.text : undefined;
}
