import type { Type } from "ts-morph";
import type { JsonSchema } from "./tool-model.js";

type Scalar = string | number | boolean | null;

/** The schema of literals, null among them; undefined when one of the types is not a literal. */
export function literalSchema(types: readonly Type[]): JsonSchema | undefined {
  const values = types.map(valueOf);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  const known = values as Scalar[];
  const kinds = [...new Set(known.map((value) => (value === null ? "null" : typeof value)))];
  const type = kinds.length === 1 ? kinds[0] : kinds;
  return known.length === 1 ? { type, const: known[0] } : { type, enum: known };
}

/**
 * The schema of a union without undefined: literals together, plain types together, everything else as an alternative.
 */
export function unionSchema(parts: readonly Type[], schemaOf: (part: Type) => JsonSchema): JsonSchema {
  const [first, ...others] = parts;
  if (first && others.length === 0) return schemaOf(first);
  const booleans = parts.filter((part) => part.isBooleanLiteral());
  const both = booleans.length === 2;
  const literals = parts.filter(
    (part) => !part.isNull() && valueOf(part) !== undefined && !(both && part.isBooleanLiteral()),
  );
  const isPlain = (part: Type): boolean => part.isString() || part.isNumber();
  const plain = [
    ...parts.filter(isPlain).map((part) => (part.isString() ? "string" : "number")),
    ...(both ? ["boolean"] : []),
  ];
  const rest = parts.filter((part) => !isPlain(part) && valueOf(part) === undefined);
  const nulls = parts.filter((part) => part.isNull());
  // Null is grouped with the literals if there are no plain types, otherwise with the plain types.
  const withLiterals = literals.length > 0 && plain.length === 0;
  const types = [...plain, ...(withLiterals || nulls.length === 0 ? [] : ["null"])];
  const listed = literalSchema([...literals, ...(withLiterals ? nulls : [])]);
  const alternatives = [
    ...(types.length > 0 ? [{ type: types.length === 1 ? types[0] : types }] : []),
    ...(listed ? [listed] : []),
    ...rest.map(schemaOf),
  ];
  const [only, ...more] = alternatives;
  return only && more.length === 0 ? only : { anyOf: alternatives };
}

function valueOf(type: Type): Scalar | undefined {
  if (type.isNull()) return null;
  if (type.isBooleanLiteral()) return type.getText() === "true";
  const value =
    type.isStringLiteral() || type.isNumberLiteral() || type.isEnumLiteral() ? type.getLiteralValue() : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
