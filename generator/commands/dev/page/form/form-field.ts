/** A field of a form that is made from a JSON Schema. */
export type FormField = {
  /** Where its value is in the arguments: the names of the members, from the outside. */
  readonly path: readonly string[];
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Whether an empty required field means null. */
  readonly isNullable: boolean;
  readonly default?: unknown;
} & FieldKind;

export type FieldKind =
  | { readonly kind: "text"; readonly isLong: boolean; readonly hint?: string }
  | { readonly kind: "number"; readonly isInteger: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  /** A list of some of the choices. */
  | { readonly kind: "choices"; readonly choices: readonly Choice[] }
  | { readonly kind: "object"; readonly fields: readonly FormField[] }
  /** Anything that has no field of its own, as JSON. */
  | { readonly kind: "json"; readonly hint: string };

export interface Choice {
  readonly value: unknown;
  readonly label: string;
}

/** What a field contains: text, or the positions of the chosen choices. An empty text or list means that there is no value. */
export type FieldInput = string | readonly number[];

/** The key of a field in the inputs of its form. */
export function keyOf({ path }: Pick<FormField, "path">): string {
  return JSON.stringify(path);
}
