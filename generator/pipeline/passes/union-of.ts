import type { TypeModel } from "../../shared/model/protocol.js";
import { structureKey } from "../../shared/model/structure.js";

/**
 * The simplest type that accepts what any of `types` accepts: equal types count once, string literals form an
 * enumeration, and a single type needs no union.
 */
export function unionOf(alternatives: readonly TypeModel[]): TypeModel {
  const distinct = new Map<string, TypeModel>();
  for (const type of alternatives) {
    const key = structureKey(type);
    if (!distinct.has(key)) distinct.set(key, type);
  }
  const types = [...distinct.values()].filter(({ kind }) => kind !== "never");
  if (types.length === 0) return { kind: "never" };
  if (types.some((type) => type.kind === "unknown")) return { kind: "unknown" };
  const values = types.flatMap((type) =>
    type.kind === "literal" && typeof type.value === "string" ? [type.value] : [],
  );
  const text = types.find((type) => type.kind === "string" && isPlain(type));
  const open = text !== undefined;
  const others = types.filter((type) => !(type.kind === "literal" && typeof type.value === "string") && type !== text);
  if (values.length > (open ? 0 : 1)) others.unshift({ kind: "enum", values, open });
  else if (text) others.unshift(text);
  else if (values[0] !== undefined) others.unshift({ kind: "literal", value: values[0] });
  const [only, ...rest] = others;
  return only && rest.length === 0 ? only : { kind: "union", members: others, choice: { kind: "ordered" } };
}

function isPlain({ minLength, maxLength, pattern }: Extract<TypeModel, { kind: "string" }>): boolean {
  return minLength === undefined && maxLength === undefined && pattern === undefined;
}
