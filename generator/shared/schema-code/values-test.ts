import { code, data, literal, type Code } from "../code/code.js";
import { or, type Expression } from "../code/expression.js";
import type { Constants } from "./module-names.js";
import { call } from "./type-test.js";

type Scalar = string | number | boolean | null;

/** More values than this are looked up in a set. */
const mostCompared = 8;

/** Whether a value equals one of a list. */
export function valuesTest(values: readonly unknown[], at: Code, constants: Constants): Expression {
  const scalars = values.filter(isScalar);
  const others = values.filter((value) => !isScalar(value));
  const plain =
    scalars.length > mostCompared
      ? [call(code`${set(scalars, constants)}.has`, at)]
      : scalars.map((right): Expression => ({ kind: "equals", left: at, right }));
  return or([...plain, ...others.map((value) => call(code`isEqual`, at, json(value, constants)))]);
}

/** The name of a constant set. */
export function set(values: readonly Scalar[], constants: Constants): Code {
  return constants.name("values", code`new Set<unknown>(${data(values)})`, code``);
}

/** Parsed from a string, because an object literal interprets the member name `__proto__` differently. */
function json(value: unknown, constants: Constants): Code {
  return constants.name("constant", code`JSON.parse(${literal(JSON.stringify(value))})`, code`: unknown`);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** `must be one of "a", "b"`. */
export function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, 20).map((value) => {
    const text = JSON.stringify(value);
    return text.length > 100 ? `${text.slice(0, 100)}…` : text;
  });
  if (shown.length === 1) return `must be ${shown.join("")}`;
  return `must be one of ${shown.join(", ")}${values.length > shown.length ? ", …" : ""}`;
}
