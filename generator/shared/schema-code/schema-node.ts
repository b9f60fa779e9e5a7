/** A type name of JSON Schema. */
export type JsonType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A JSON Schema with checked keywords and without annotations. */
export interface SchemaNode {
  /** Position in its document: `#/properties/city`. */
  readonly pointer: string;
  /** Whether no value is valid: the schema `false`. */
  readonly never: boolean;
  /** Pointer of the schema that must match too. */
  readonly ref?: string;
  /** Absent: any type. */
  readonly types?: readonly JsonType[];
  /** From `enum` and `const`; each list must contain the value. */
  readonly values: readonly (readonly unknown[])[];
  readonly number: NumberKeywords;
  readonly string: StringKeywords;
  readonly object: ObjectKeywords;
  readonly array: ArrayKeywords;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly if?: SchemaNode;
  readonly then?: SchemaNode;
  readonly else?: SchemaNode;
}

export interface NumberKeywords {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

export interface StringKeywords {
  /** In code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression that compiles with the flag `u`. */
  readonly pattern?: string;
}

export type Named<T> = readonly (readonly [name: string, value: T])[];

export interface ObjectKeywords {
  readonly properties: Named<SchemaNode>;
  readonly required: readonly string[];
  readonly patterns: Named<SchemaNode>;
  /** For members that neither `properties` nor `patterns` name. */
  readonly additional?: SchemaNode;
  readonly unevaluated?: SchemaNode;
  readonly names?: SchemaNode;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly dependentRequired: Named<readonly string[]>;
  readonly dependentSchemas: Named<SchemaNode>;
}

export interface ArrayKeywords {
  readonly prefix: readonly SchemaNode[];
  /** For items after the prefix. */
  readonly items?: SchemaNode;
  readonly unevaluated?: SchemaNode;
  readonly contains?: SchemaNode;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly unique: boolean;
}

/** One JSON Schema document. */
export interface SchemaGraph {
  readonly root: SchemaNode;
  /** Every schema of the document by its pointer, including those that are only referenced. */
  readonly nodes: ReadonlyMap<string, SchemaNode>;
}

/** Schemas that apply to the same value as `node`. */
export function inPlaceSchemas(node: SchemaNode, { nodes }: SchemaGraph): readonly SchemaNode[] {
  const target = node.ref === undefined ? undefined : nodes.get(node.ref);
  return [
    ...(target ? [target] : []),
    ...node.allOf,
    ...node.anyOf,
    ...node.oneOf,
    ...[node.not, node.if, node.then, node.else].filter((inner) => inner !== undefined),
    ...node.object.dependentSchemas.map(([, inner]) => inner),
  ];
}

/** Schemas that apply to a member or an item of the value. */
export function childSchemas({ object, array }: SchemaNode): readonly SchemaNode[] {
  return [
    ...object.properties.map(([, inner]) => inner),
    ...object.patterns.map(([, inner]) => inner),
    ...[object.additional, object.unevaluated, object.names].filter((inner) => inner !== undefined),
    ...array.prefix,
    ...[array.items, array.unevaluated, array.contains].filter((inner) => inner !== undefined),
  ];
}

/** Whether every value is valid. */
export function isTrivial(node: SchemaNode): boolean {
  const { object, array } = node;
  const lists = [node.values, node.allOf, node.anyOf, node.oneOf, object.properties, object.required, object.patterns];
  const more = [object.dependentRequired, object.dependentSchemas, array.prefix];
  const set = (keywords: object): boolean =>
    Object.values(keywords).some((value) => value !== undefined && value !== false && !Array.isArray(value));
  return (
    !node.never &&
    node.ref === undefined &&
    !node.types &&
    !node.not &&
    !node.if &&
    [...lists, ...more].every(({ length }) => length === 0) &&
    ![node.number, node.string, object, array].some(set)
  );
}
