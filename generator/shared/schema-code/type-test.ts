import { code, type Code } from "../code/code.js";
import { or, type Expression } from "../code/expression.js";
import type { JsonType } from "./schema-node.js";

/** The types that have their own keywords. */
export const groups = ["number", "string", "object", "array"] as const;
export type Group = (typeof groups)[number];

/** Calls a function of the language or a helper. */
export function call(callee: Code, ...args: readonly Code[]): Expression {
  return { kind: "call", callee, args };
}

/** Whether a value has one of these types. Values that JSON cannot represent have none. */
export function typeTest(types: readonly JsonType[], at: Code): Expression {
  const all = new Set(types);
  if (all.has("number")) all.delete("integer");
  return or([...all].map((type) => ofType(type, at)));
}

function ofType(type: JsonType, at: Code): Expression {
  switch (type) {
    case "string":
    case "boolean":
      return { kind: "typeof", of: at, is: type };
    case "number":
      return call(code`Number.isFinite`, at);
    case "integer":
      return call(code`Number.isInteger`, at);
    case "null":
      return { kind: "equals", left: at, right: null };
    case "array":
      return call(code`Array.isArray`, at);
    case "object":
      return { kind: "object", of: at };
  }
}

/** Whether a value in a schema has a type. */
export function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** `string, number or null`. */
export function typeText(types: readonly JsonType[]): string {
  const names = types.map((type) => (/^[aio]/.test(type) ? `an ${type}` : type === "null" ? type : `a ${type}`));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
