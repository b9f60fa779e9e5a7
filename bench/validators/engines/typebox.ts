import { Type, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { Engine } from "../contract.js";
import { type JsonSchema, schemaOf } from "./json-schema.js";

export const typebox: Engine = {
  name: "TypeBox 0.34",
  packageName: "@sinclair/typebox",
  load: (revision) => {
    const references = Object.entries(schemaOf(revision).$defs).map(([$id, schema]) => typeOf(schema, $id));
    return Promise.resolve((definition) => {
      const schema = references.find(({ $id }) => $id === definition);
      if (!schema) return undefined;
      const others = references.filter((other) => other !== schema);
      const compiled = TypeCompiler.Compile(schema, others);
      return (value) => compiled.Check(value);
    });
  },
};

/** Converts a JSON Schema to the equivalent TypeBox type, keyword by keyword. */
function typeOf(schema: JsonSchema, $id?: string): TSchema {
  const options = $id === undefined ? {} : { $id };
  if (schema.$ref !== undefined) return refTo(schema.$ref, options);
  if (schema.anyOf)
    return Type.Union(
      schema.anyOf.map((branch) => typeOf(branch)),
      options,
    );
  if (schema.const !== undefined) return Type.Literal(schema.const, options);
  if (schema.enum)
    return Type.Union(
      schema.enum.map((value) => Type.Literal(value)),
      options,
    );
  switch (schema.type) {
    case "object":
      return objectOf(schema, options);
    case "array":
      return Type.Array(typeOf(schema.items ?? {}), { ...options, ...bounds(schema, "maxItems") });
    case "number":
      return Type.Number({ ...options, ...bounds(schema, "minimum", "maximum") });
    case "integer":
      return Type.Integer({ ...options, ...bounds(schema, "minimum", "maximum") });
    case "string":
      return Type.String(options);
    case "boolean":
      return Type.Boolean(options);
    case "null":
      return Type.Null(options);
    case undefined:
      return Type.Unknown(options);
    default:
      throw new Error(`no TypeBox type for the JSON Schema type ${schema.type}`);
  }
}

/** A definition that is only a reference keeps its own id. */
function refTo(ref: string, options: { readonly $id?: string }): TSchema {
  return Type.Ref(ref.replace("#/$defs/", ""), options);
}

function objectOf(schema: JsonSchema, options: { readonly $id?: string }): TSchema {
  const { properties = {}, required = [], additionalProperties: rest } = schema;
  const members = Object.entries(properties).map(([name, member]): [string, TSchema] => {
    const type = typeOf(member);
    return [name, required.includes(name) ? type : Type.Optional(type)];
  });
  // Omit a schema that accepts everything: TypeBox would iterate over all members for it.
  if (rest === undefined || Object.keys(rest).length === 0) return Type.Object(Object.fromEntries(members), options);
  return members.length === 0
    ? Type.Record(Type.String(), typeOf(rest), options)
    : Type.Object(Object.fromEntries(members), { ...options, additionalProperties: typeOf(rest) });
}

function bounds(schema: JsonSchema, ...names: readonly ("minimum" | "maximum" | "maxItems")[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const bound = schema[name];
      return bound === undefined ? [] : [[name, bound]];
    }),
  );
}
