import { isObject } from "../../../../shared/is-object.js";
import { type FieldInput, type FormField, keyOf } from "./form-field.js";

/** The inputs of a form with the defaults of its schema. */
export function defaultInputs(fields: readonly FormField[]): ReadonlyMap<string, FieldInput> {
  const inputs = new Map<string, FieldInput>();
  for (const field of fields) {
    if (field.default !== undefined) fillField(field, field.default, inputs);
    else if (field.kind === "object") for (const [key, input] of defaultInputs(field.fields)) inputs.set(key, input);
  }
  return inputs;
}

/**
 * The inputs of a form for a value that was entered as JSON. @returns undefined if the form cannot show all of it
 */
export function fillForm(fields: readonly FormField[], value: unknown): ReadonlyMap<string, FieldInput> | undefined {
  const inputs = new Map<string, FieldInput>();
  return fillObject(fields, value, inputs) ? inputs : undefined;
}

function fillObject(fields: readonly FormField[], value: unknown, inputs: Map<string, FieldInput>): boolean {
  if (!isObject(value)) return false;
  const byName = new Map(fields.map((field) => [field.path.at(-1), field]));
  return Object.entries(value).every(([name, member]) => {
    const field = byName.get(name);
    return field !== undefined && fillField(field, member, inputs);
  });
}

/** @returns whether the field can show the value */
function fillField(field: FormField, value: unknown, inputs: Map<string, FieldInput>): boolean {
  if (field.kind === "object") return fillObject(field.fields, value, inputs);
  const input = inputOf(field, value);
  if (input === undefined) return false;
  inputs.set(keyOf(field), input);
  return true;
}

function inputOf(field: FormField, value: unknown): FieldInput | undefined {
  if (value === null && field.isNullable && field.isRequired) return "";
  switch (field.kind) {
    case "text":
      return typeof value === "string" && (field.isLong || !value.includes("\n")) ? value : undefined;
    case "number":
      return typeof value === "number" ? String(value) : undefined;
    case "choice":
      return positions(field, [value]);
    case "choices":
      return Array.isArray(value) ? positions(field, value) : undefined;
    default:
      return JSON.stringify(value, undefined, 2);
  }
}

function positions(
  { choices }: { readonly choices: readonly { readonly value: unknown }[] },
  values: readonly unknown[],
): readonly number[] | undefined {
  const found = values.map((value) =>
    choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value)),
  );
  return found.includes(-1) ? undefined : found;
}
