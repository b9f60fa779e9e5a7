import { type FieldInput, type FormField, keyOf } from "./form-field.js";

export interface ReadForm {
  readonly value: Readonly<Record<string, unknown>>;
  /** What is wrong, by the key of the field. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads the fields of a form. Empty optional fields are left out. */
export function readForm(fields: readonly FormField[], inputs: ReadonlyMap<string, FieldInput>): ReadForm {
  const problems = new Map<string, string>();
  const value = readObject(fields, inputs, problems);
  return { value: value ?? {}, problems };
}

/** @returns undefined if all fields are empty */
function readObject(
  fields: readonly FormField[],
  inputs: ReadonlyMap<string, FieldInput>,
  problems: Map<string, string>,
): Readonly<Record<string, unknown>> | undefined {
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const name = field.path.at(-1) ?? "";
    const outcome = readField(field, inputs, problems);
    if (outcome !== undefined) entries.push([name, outcome.value]);
  }
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function readField(
  field: FormField,
  inputs: ReadonlyMap<string, FieldInput>,
  problems: Map<string, string>,
): { readonly value: unknown } | undefined {
  if (field.kind === "object") {
    const isUsed = field.isRequired || hasInput(field.fields, inputs);
    // The required members of an object that is left out are not asked for.
    if (!isUsed) return undefined;
    return { value: readObject(field.fields, inputs, problems) ?? {} };
  }
  const input = inputs.get(keyOf(field)) ?? "";
  if (input.length === 0) return readEmpty(field, problems);
  const outcome = typeof input === "string" ? readText(field, input) : { value: chosen(field, input) };
  if ("value" in outcome) return outcome;
  problems.set(keyOf(field), outcome.problem);
  return undefined;
}

function readEmpty(field: FormField, problems: Map<string, string>): { readonly value: unknown } | undefined {
  if (!field.isRequired) return undefined;
  if (field.isNullable) return { value: null };
  if (field.kind === "choices") return { value: [] };
  // Whether an empty text is allowed is the business of the server.
  if (field.kind === "text") return { value: "" };
  problems.set(keyOf(field), "This is required.");
  return undefined;
}

function hasInput(fields: readonly FormField[], inputs: ReadonlyMap<string, FieldInput>): boolean {
  return fields.some((field) =>
    field.kind === "object" ? hasInput(field.fields, inputs) : (inputs.get(keyOf(field)) ?? "").length > 0,
  );
}

function readText(field: FormField, text: string): { readonly value: unknown } | { readonly problem: string } {
  switch (field.kind) {
    case "number": {
      const value = text.trim() === "" ? NaN : Number(text);
      if (!Number.isFinite(value)) return { problem: "Enter a number." };
      if (field.isInteger && !Number.isInteger(value)) return { problem: "Enter a whole number." };
      return { value };
    }
    case "json":
      try {
        return { value: JSON.parse(text) as unknown };
      } catch (error) {
        return { problem: `This is not JSON: ${(error as Error).message}` };
      }
    default:
      return { value: text };
  }
}

function chosen(field: FormField, positions: readonly number[]): unknown {
  const choices = field.kind === "choice" || field.kind === "choices" ? field.choices : [];
  const values = positions.map((at) => choices[at]?.value);
  return field.kind === "choices" ? values : values[0];
}
