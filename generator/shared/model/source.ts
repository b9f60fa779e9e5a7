/**
 * The output of READ: declarations as written in a schema file, nothing resolved.
 * Plain JSON data; unions are discriminated by `kind`.
 */

/** A position in an input file; line and column count from 1. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface SourceModule {
  /** The syntax of the file. JSON Schema loses constants, `extends` and tags. */
  readonly syntax: "typescript" | "json-schema";
  /** The file's name in diagnostics. */
  readonly file: string;
  readonly declarations: readonly Declaration[];
  /** The names that the file takes from other files; absent when there are none, and after they are linked. */
  readonly imports?: readonly ImportedName[];
}

/** A name of an `import` or of an `export … from`. */
export interface ImportedName {
  /** The name in the other file; `*` for all names (`export * from`). */
  readonly name: string;
  /** The name in this file. */
  readonly local: string;
  readonly specifier: string;
  /** Whether the statement is an `export … from`. */
  readonly reexported?: true;
  readonly span: Span;
}

export type Declaration = InterfaceDeclaration | AliasDeclaration | ConstantDeclaration | DerivedConstantDeclaration;

/** A parameter of a generic declaration. */
export interface TypeParameter {
  readonly name: string;
  /** The argument that is meant when none is given. */
  readonly defaultType?: TypeExpression;
}

export interface InterfaceDeclaration {
  readonly kind: "interface";
  readonly name: string;
  readonly span: Span;
  readonly text?: string;
  readonly tags: Tags;
  readonly annotations?: Annotations;
  /** Absent: the declaration is not generic. */
  readonly parameters?: readonly TypeParameter[];
  readonly heritage: readonly Heritage[];
  readonly members: readonly Member[];
  /** The value type of a string index signature. */
  readonly index?: TypeExpression;
}

export interface AliasDeclaration {
  readonly kind: "alias";
  readonly name: string;
  readonly span: Span;
  readonly text?: string;
  readonly tags: Tags;
  readonly annotations?: Annotations;
  /** Absent: the declaration is not generic. */
  readonly parameters?: readonly TypeParameter[];
  readonly type: TypeExpression;
}

export interface ConstantDeclaration {
  readonly kind: "constant";
  readonly name: string;
  readonly span: Span;
  readonly text?: string;
  readonly tags: Tags;
  readonly value: string | number;
  /** Whether the constant has a declared type, to which `typeof` then refers instead of the value. */
  readonly isWidened?: true;
}

/** A constant whose value is that of a type, such as `declare const METHOD: Request["method"]`. */
export interface DerivedConstantDeclaration {
  readonly kind: "derived-constant";
  readonly name: string;
  readonly span: Span;
  readonly text?: string;
  readonly tags: Tags;
  readonly type: TypeExpression;
}

/** An entry of an `extends` list: `Base`, or `Omit<Base, "a" | "b">`. */
export interface Heritage {
  readonly name: string;
  readonly omit: readonly string[];
  /** Set for any other base, such as `Partial<Base>`; `name` is its text. */
  readonly type?: TypeExpression;
  readonly span: Span;
}

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeExpression;
  readonly text?: string;
  readonly tags: Tags;
  readonly annotations?: Annotations;
  /** The value that is meant when the member is absent. */
  readonly default?: unknown;
  readonly span: Span;
}

/** Values of `x-…` keywords, by keyword. */
export type Annotations = Readonly<Record<string, unknown>>;

/** JSDoc tags that are facts; every other tag is prose. */
export interface Tags {
  /** `@TJS-type`: the JSON type that the official printer writes. */
  readonly jsonType?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly nullable?: true;
  readonly internal?: true;
  /** The text after `@deprecated`, empty when there is none. */
  readonly deprecated?: string;
}

export type PrimitiveName =
  "string" | "number" | "integer" | "boolean" | "null" | "unknown" | "never" | "any" | "object";

/** `tags`: bounds that JSON Schema gives a nested type; they apply instead of the member's. */
export type TypeExpression =
  | { readonly kind: "primitive"; readonly name: PrimitiveName; readonly tags?: Tags }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "constant"; readonly name: string; readonly span: Span }
  | {
      readonly kind: "reference";
      readonly name: string;
      readonly arguments?: readonly TypeExpression[];
      readonly span: Span;
    }
  /** A parameter of the generic declaration around it. */
  | { readonly kind: "parameter"; readonly name: string; readonly span: Span }
  /** Texts, with any string between each and the next. */
  | { readonly kind: "template"; readonly texts: readonly string[]; readonly span: Span }
  | { readonly kind: "omit"; readonly name: string; readonly keys: readonly string[]; readonly span: Span }
  | { readonly kind: "array"; readonly items: TypeExpression; readonly tags?: Tags }
  | RecordExpression
  | UtilityExpression
  /** `Of["key"]`. */
  | { readonly kind: "indexed"; readonly of: TypeExpression; readonly key: TypeExpression; readonly span: Span }
  | { readonly kind: "keyof"; readonly of: TypeExpression; readonly span: Span }
  | { readonly kind: "object"; readonly members: readonly Member[]; readonly index?: TypeExpression }
  /** `exclusive`: exactly one alternative must accept the value, as `oneOf` says. */
  | { readonly kind: "union"; readonly members: readonly TypeExpression[]; readonly exclusive?: true }
  /** `exact`: each member is checked on its own, as `allOf` says, unless merging them has the same effect. */
  | { readonly kind: "intersection"; readonly members: readonly TypeExpression[]; readonly exact?: true }
  | { readonly kind: "not"; readonly type: TypeExpression }
  | EntriesExpression;

export interface RecordExpression {
  readonly kind: "record";
  /** The names of the members. Absent: any string. */
  readonly keys?: TypeExpression;
  readonly values: TypeExpression;
  /** Whether `values` contains undefined; then members with listed names may be absent. */
  readonly isOptional?: true;
  /** The position of `keys`. */
  readonly span?: Span;
}

export type UtilityName = "Partial" | "Required" | "Pick" | "Omit";

/** A utility type of TypeScript, except `Omit` of a declared type with listed keys, which is `omit`. */
export interface UtilityExpression {
  readonly kind: "utility";
  readonly name: UtilityName;
  readonly of: TypeExpression;
  /** The second argument of `Pick` and `Omit`. */
  readonly keys?: TypeExpression;
  readonly span: Span;
}

/** Keywords of JSON Schema about all members of an object; see `EntriesModel`. */
export interface EntriesExpression {
  readonly kind: "entries";
  readonly patterns: readonly { readonly pattern: string; readonly type: TypeExpression }[];
  readonly rest?: TypeExpression;
  readonly listed: readonly string[];
  readonly names?: TypeExpression;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}
