/** A field of an object in the configuration. */
export interface Field {
  readonly name: string;
  /** Other names of the field, which some hosts use. */
  readonly aliases?: readonly string[];
  readonly type: FieldType;
  readonly description: string;
  /** Whether the object is invalid without the field. Default: `false` */
  readonly required?: true;
  /** The only kind of server that the field concerns. Default: both */
  readonly server?: "stdio" | "http";
}

/** The type of a value in the configuration. The checks and the published JSON Schema come from it. */
export type FieldType =
  | TextType
  | IntegerType
  | ChoiceType
  | ListType
  | MapType
  | ObjectType
  | EitherType
  | { readonly kind: "boolean" }
  | { readonly kind: "true" | "false" }
  | IgnoredType;

export interface TextType {
  readonly kind: "text";
  /** Whether `${…}` in the string is a reference. Default: `false` */
  readonly references?: true;
  readonly format?: TextFormat;
}

/** A rule that a string must match. */
export interface TextFormat {
  /** A regular expression, also for editors. */
  readonly pattern: string;
  /** Continues "must be". */
  readonly expected: string;
  /** Whether the string must also be a valid URL, which the pattern cannot express completely. Default: `false` */
  readonly isUrl?: true;
}

export interface IntegerType {
  readonly kind: "integer";
  readonly min: number;
  readonly max: number;
}

export interface ChoiceType {
  readonly kind: "choice";
  readonly values: readonly string[];
}

export interface ListType {
  readonly kind: "list";
  readonly item: FieldType;
  /** Whether the list must have an item. Default: `false` */
  readonly notEmpty?: true;
}

export interface MapType {
  readonly kind: "map";
  readonly value: FieldType;
  /** Which names are valid. */
  readonly names: TextFormat;
}

export interface ObjectType {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Whether unknown fields are only reported as ignored. Default: `false`, they are errors. */
  readonly open?: true;
  /** The object must have exactly one of these fields. */
  readonly exactlyOne?: readonly string[];
  /** The object may have one of these fields at most. */
  readonly atMostOne?: readonly string[];
  /** The object must have at least one of these fields. */
  readonly atLeastOne?: { readonly fields: readonly string[]; readonly reason: string };
  readonly requirements?: readonly Requirement[];
}

/** A field that another one makes necessary. */
export interface Requirement {
  readonly when: string;
  /** The values of `when` that make the field necessary. Default: all */
  readonly is?: readonly string[];
  readonly field: string;
  readonly reason: string;
}

export interface EitherType {
  readonly kind: "either";
  readonly types: readonly FieldType[];
}

/** A field of hosts that means nothing to the gateway. */
export interface IgnoredType {
  readonly kind: "ignored";
  /** What to use in place of it. */
  readonly hint: string;
}

/** The type as the continuation of "must be". */
export function describeType(type: FieldType): string {
  switch (type.kind) {
    case "text":
      return type.format?.expected ?? "a string";
    case "integer":
      return `an integer from ${type.min} to ${type.max}`;
    case "choice":
      return listOr(type.values.map((value) => JSON.stringify(value)));
    case "list":
      return type.notEmpty ? "an array with at least one item" : "an array";
    case "map":
    case "object":
      return "an object";
    case "either":
      return listOr(type.types.map(describeType));
    case "boolean":
      return "true or false";
    case "true":
    case "false":
      return type.kind;
    case "ignored":
      return "anything";
  }
}

/** `a, b or c`. */
export function listOr(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

/** The field with this name or alias. */
export function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name === name || field.aliases?.includes(name) === true);
}

/** All names of a field. */
export function namesOf(fields: readonly Field[], name: string): readonly string[] {
  return [name, ...(fieldNamed(fields, name)?.aliases ?? [])];
}

/** The requirements that apply to an object, and are not met. */
export function unmet({ fields, requirements = [] }: ObjectType, value: object): readonly Requirement[] {
  const find = (name: string): unknown =>
    Object.entries(value).find(([member]) => namesOf(fields, name).includes(member))?.[1];
  const failed = requirements.filter(({ when, is, field }) => {
    const given = find(when);
    return given !== undefined && (!is || is.some((one) => one === given)) && find(field) === undefined;
  });
  return failed.filter(({ field }, at) => failed.findIndex((one) => one.field === field) === at);
}
