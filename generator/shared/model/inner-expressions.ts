import { assertNever } from "../assert-never.js";
import { mapEntryExpressions } from "./entry-expressions.js";
import type { Declaration, Heritage, Member, Tags, TypeExpression } from "./source.js";

/** Changes a type; `tags` are those of the member whose type it is. */
export type Change = (type: TypeExpression, tags?: Tags) => TypeExpression;

/** Replaces the types directly inside a type. */
export function mapInnerTypes(type: TypeExpression, change: Change): TypeExpression {
  switch (type.kind) {
    case "primitive":
    case "literal":
    case "constant":
    case "parameter":
    case "template":
    case "omit":
      return type;
    case "reference":
      return type.arguments ? { ...type, arguments: type.arguments.map((inner) => change(inner)) } : type;
    case "array":
      return { ...type, items: change(type.items) };
    case "record":
      return { ...type, ...(type.keys && { keys: change(type.keys) }), values: change(type.values) };
    case "utility":
      return { ...type, of: change(type.of), ...(type.keys && { keys: change(type.keys) }) };
    case "indexed":
      return { ...type, of: change(type.of), key: change(type.key) };
    case "keyof":
      return { ...type, of: change(type.of) };
    case "object":
      return { ...type, ...mapBody(type, change) };
    case "union":
    case "intersection":
      return { ...type, members: type.members.map((member) => change(member)) };
    case "not":
      return { ...type, type: change(type.type) };
    case "entries":
      return mapEntryExpressions(type, (inner) => change(inner));
    default:
      return assertNever(type);
  }
}

/** Replaces the types of a declaration. */
export function mapDeclaredTypes<T extends Declaration>(declaration: T, change: Change): T;
export function mapDeclaredTypes(declaration: Declaration, change: Change): Declaration {
  switch (declaration.kind) {
    case "constant":
      return declaration;
    case "alias":
    case "derived-constant":
      return { ...declaration, type: change(declaration.type, declaration.tags) };
    case "interface":
      return {
        ...declaration,
        heritage: declaration.heritage.map((base): Heritage =>
          base.type ? { ...base, type: change(base.type) } : base,
        ),
        ...mapBody(declaration, change),
      };
    default:
      return assertNever(declaration);
  }
}

function mapBody(
  body: { readonly members: readonly Member[]; readonly index?: TypeExpression },
  change: Change,
): { readonly members: readonly Member[]; readonly index?: TypeExpression } {
  return {
    members: body.members.map((member) => ({ ...member, type: change(member.type, member.tags) })),
    ...(body.index && { index: change(body.index) }),
  };
}
