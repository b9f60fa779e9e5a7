import { isObject } from "../is-object.js";

/** Checks plain JSON data against a description; returns the first deviation as a path and the expected value. */
export type JsonStructure =
  | "anything"
  | "string"
  | "integer"
  | "boolean"
  | "scalar"
  | "scalar or null"
  | "string or null"
  | { readonly choice: readonly string[] }
  | { readonly list: JsonStructure }
  | { readonly map: JsonStructure; readonly keys?: readonly string[] }
  | {
      readonly members: Readonly<Record<string, JsonStructure>>;
      readonly optional?: Readonly<Record<string, JsonStructure>>;
    }
  | { readonly nullable: JsonStructure }
  | { readonly oneOf: readonly JsonStructure[]; readonly expected: string };

export interface Deviation {
  readonly path: readonly string[];
  readonly expected: string;
}

export function findDeviation(
  value: unknown,
  shape: JsonStructure,
  path: readonly string[] = [],
): Deviation | undefined {
  if (typeof shape === "string") return scalarFits(value, shape) ? undefined : { path, expected: shape };
  if ("nullable" in shape) return value === null ? undefined : findDeviation(value, shape.nullable, path);
  if ("oneOf" in shape)
    return shape.oneOf.some((option) => !findDeviation(value, option)) ? undefined : { path, expected: shape.expected };
  if ("choice" in shape)
    return shape.choice.some((option) => option === value) ? undefined : { path, expected: shape.choice.join(", ") };
  if ("list" in shape) {
    if (!Array.isArray(value)) return { path, expected: "a list" };
    return first(value, (item, index) => findDeviation(item, shape.list, [...path, String(index)]));
  }
  if (!isObject(value)) return { path, expected: "an object" };
  const entries = Object.entries(value);
  if ("map" in shape) {
    return first(entries, ([key, item]) =>
      shape.keys && !shape.keys.includes(key)
        ? { path: [...path, key], expected: `one of the keys ${shape.keys.join(", ")}` }
        : findDeviation(item, shape.map, [...path, key]),
    );
  }
  const missing = Object.keys(shape.members).find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return { path, expected: `a member ${missing}` };
  const known = { ...shape.members, ...shape.optional };
  return first(entries, ([key, item]) => {
    const inner = Object.hasOwn(known, key) ? known[key] : undefined;
    return inner
      ? findDeviation(item, inner, [...path, key])
      : { path: [...path, key], expected: `one of the members ${Object.keys(known).join(", ")}` };
  });
}

function scalarFits(value: unknown, shape: Extract<JsonStructure, string>): boolean {
  switch (shape) {
    case "anything":
      return true;
    case "string":
    case "boolean":
      return typeof value === shape;
    case "integer":
      return Number.isInteger(value);
    case "scalar":
      return ["string", "number", "boolean"].includes(typeof value);
    case "scalar or null":
      return value === null || scalarFits(value, "scalar");
    case "string or null":
      return value === null || typeof value === "string";
  }
}

function first<T>(
  items: readonly T[],
  check: (item: T, index: number) => Deviation | undefined,
): Deviation | undefined {
  for (const [index, item] of items.entries()) {
    const found = check(item, index);
    if (found) return found;
  }
  return undefined;
}
