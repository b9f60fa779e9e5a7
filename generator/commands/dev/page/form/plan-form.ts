import { isObject } from "../../../../shared/is-object.js";
import { resolveLocally } from "../../../../shared/json/resolve-locally.js";
import type { Choice, FieldKind, FormField } from "./form-field.js";

type Schema = Readonly<Record<string, unknown>>;

/** Objects in objects that get fields; deeper ones are JSON. */
const maxDepth = 3;

/** Keywords that allow members which the schema does not list by name. */
const opening = ["additionalProperties", "patternProperties", "propertyNames", "allOf", "anyOf", "oneOf", "if", "$ref"];

/**
 * Plans the fields of a form for an object. @returns undefined if the schema does not list the members, so that only JSON can be entered
 */
export function planForm(given: unknown): readonly FormField[] | undefined {
  const root: Schema = isObject(given) ? given : {};
  const schema = root["properties"] === undefined ? resolveLocally(root, root) : root;
  if (schema["properties"] === undefined && schema["type"] === "object" && !opening.some((one) => schema[one]))
    return [];
  if (!isObject(schema["properties"])) return undefined;
  return fieldsOf(schema, root, []);
}

function fieldsOf(schema: Schema, root: Schema, path: readonly string[]): readonly FormField[] {
  const { properties, required } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return fieldOf((properties as Schema)[name], root, [...path, name], isRequired);
  });
}

function fieldOf(given: unknown, root: Schema, path: readonly string[], isRequired: boolean): FormField {
  const outer: Schema = isObject(given) ? given : {};
  const { schema, isNullable } = withoutNull({ ...resolveLocally(outer, root), ...annotationsOf(outer) }, root);
  const { title, description, default: preset } = { ...schema, ...annotationsOf(outer) };
  return {
    path,
    title: typeof title === "string" && title !== "" ? title : (path.at(-1) ?? ""),
    ...(typeof description === "string" && { description }),
    isRequired,
    isNullable,
    ...(preset !== undefined && { default: preset }),
    ...kindOf(schema, root, path),
  };
}

function annotationsOf({ title, description, default: preset }: Schema): Schema {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
  };
}

/** Takes null out of the types of a value, which is how many libraries declare an optional member. */
function withoutNull(schema: Schema, root: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const types = type.filter((one) => one !== "null") as unknown[];
    return { schema: { ...schema, type: types.length === 1 ? types[0] : types }, isNullable: true };
  }
  for (const union of ["anyOf", "oneOf"]) {
    const branches = schema[union];
    if (!Array.isArray(branches) || branches.length !== 2) continue;
    const [one] = branches.filter((branch) => !isNull(branch)) as unknown[];
    if (!branches.some(isNull) || one === undefined) continue;
    const { [union]: _, ...rest } = schema;
    return { schema: { ...resolveLocally(one, root), ...rest }, isNullable: true };
  }
  return { schema, isNullable: false };
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}

function kindOf(schema: Schema, root: Schema, path: readonly string[]): FieldKind {
  const choices = choicesOf(schema, root);
  if (choices) return { kind: "choice", choices };
  const { type, minimum, maximum, items } = schema;
  switch (type) {
    case "string":
      return textKind(schema);
    case "number":
    case "integer":
      return {
        kind: "number",
        isInteger: type === "integer",
        ...(typeof minimum === "number" && { minimum }),
        ...(typeof maximum === "number" && { maximum }),
      };
    case "boolean":
      return { kind: "choice", choices: [true, false].map((value) => ({ value, label: String(value) })) };
    case "array": {
      const listed = choicesOf(resolveLocally(items, root), root);
      return listed ? { kind: "choices", choices: listed } : { kind: "json", hint: "[…]" };
    }
    case "object":
      return isObject(schema["properties"]) && path.length < maxDepth
        ? { kind: "object", fields: fieldsOf(schema, root, path) }
        : { kind: "json", hint: "{…}" };
    default:
      return { kind: "json", hint: "a JSON value" };
  }
}

/** Texts without a bound, a pattern or a format may have several lines. */
function textKind({ format, pattern, maxLength }: Schema): FieldKind {
  const hint = [format, pattern].find((one) => typeof one === "string");
  const isLong = hint === undefined && !(typeof maxLength === "number" && maxLength <= 100);
  return { kind: "text", isLong, ...(typeof hint === "string" && { hint: hint.slice(0, 200) }) };
}

function choicesOf(schema: Schema, root: Schema): readonly Choice[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  if (schema["const"] !== undefined) return [choiceOf(schema["const"], schema["title"])];
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, at) => choiceOf(value, names[at]));
  }
  const titled = oneOf ?? anyOf;
  if (!Array.isArray(titled) || titled.length === 0) return undefined;
  const branches = titled.map((branch) => resolveLocally(branch, root));
  if (!branches.every((branch) => branch["const"] !== undefined)) return undefined;
  return branches.map((branch) => choiceOf(branch["const"], branch["title"]));
}

function choiceOf(value: unknown, name: unknown): Choice {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { value, label: typeof name === "string" && name !== "" && name !== text ? `${name} (${text})` : text };
}
