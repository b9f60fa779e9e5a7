import type * as z from "zod/v4";
import { deferred } from "./deferred.js";
import { specSchemas } from "./spec-schemas.js";
import type { StandardSchemaV1Sync } from "./standard-schema.js";

type Schemas = ReturnType<typeof specSchemas>;
type Named<Kind extends "input" | "output"> = {
  [Key in keyof Schemas as Key extends `${infer Name}Schema` ? Name : never]: Schemas[Key]["_zod"][Kind];
};

/** The types that the specifications of MCP and OAuth name, by name. */
export type SpecTypes = Named<"output">;
type SpecTypeInputs = Named<"input">;
export type SpecTypeName = keyof SpecTypes;

type SpecTypeSchemas = { readonly [Name in SpecTypeName]: StandardSchemaV1Sync<SpecTypeInputs[Name], SpecTypes[Name]> };
type SpecTypeGuards = { readonly [Name in SpecTypeName]: (value: unknown) => value is SpecTypeInputs[Name] };

function mapSchemas(map: (schema: z.ZodType) => unknown): object {
  const schemas = specSchemas() as unknown as Readonly<Record<string, z.ZodType>>;
  return Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => [key.slice(0, -"Schema".length), map(schema)]),
  );
}

/** A schema for each type, by name. */
export const specTypeSchemas: SpecTypeSchemas = /* @__PURE__ */ deferred(
  () => mapSchemas((schema) => schema) as SpecTypeSchemas,
);

/** A guard for each type, by name. A guard accepts a value without the members that the schema adds. */
export const isSpecType: SpecTypeGuards = /* @__PURE__ */ deferred(
  () => mapSchemas((schema) => (value: unknown) => schema.safeParse(value).success) as SpecTypeGuards,
);

/** Builds the schemas, which a program else builds when it first uses `specTypeSchemas` or `isSpecType`. */
export function preloadSchemas(): void {
  specSchemas();
}
