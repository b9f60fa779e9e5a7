import type { EnumDeclaration } from "ts-morph";
import type { TypeExpression } from "../../shared/model/source.js";
import { readLiteral } from "./literals.js";
import { unsupported, type Locate } from "./unsupported.js";

/** The values of an enum as a union of literals. */
export function readEnum(node: EnumDeclaration, span: Locate): TypeExpression {
  let next: number | undefined = 0;
  const members = node.getMembers().map((member): TypeExpression => {
    const initializer = member.getInitializer();
    const value = initializer ? readLiteral(initializer, span) : next;
    if (value === undefined || typeof value === "boolean")
      return unsupported(member, "an enum member without a value of its own", span);
    next = typeof value === "number" ? value + 1 : undefined;
    return { kind: "literal", value };
  });
  return members.length === 0 ? unsupported(node, "an enum without members", span) : { kind: "union", members };
}
