import type * as z from "zod/v4";
import * as schemas from "../types/public-schemas.js";
import type { StandardSchemaV1Sync } from "./standard-schema.js";

type Schemas = typeof schemas;
type Named<Kind extends "input" | "output"> = {
  [Key in keyof Schemas as Key extends `${infer Name}Schema` ? Name : never]: Schemas[Key]["_zod"][Kind];
};

/** The types that the specifications of MCP and OAuth name, by name. */
export type SpecTypes = Named<"output">;
type SpecTypeInputs = Named<"input">;
export type SpecTypeName = keyof SpecTypes;

type SpecTypeSchemas = { readonly [Name in SpecTypeName]: StandardSchemaV1Sync<SpecTypeInputs[Name], SpecTypes[Name]> };
type SpecTypeGuards = { readonly [Name in SpecTypeName]: (value: unknown) => value is SpecTypeInputs[Name] };

const entries = Object.entries(schemas as unknown as Readonly<Record<string, z.ZodType>>).map(
  ([key, schema]) => [key.slice(0, -"Schema".length), schema] as const,
);

/** A schema for each type, by name. */
export const specTypeSchemas: SpecTypeSchemas = Object.freeze(
  Object.fromEntries(entries),
) as unknown as SpecTypeSchemas;

/** A guard for each type, by name. A guard accepts a value without the members that the schema adds. */
export const isSpecType: SpecTypeGuards = Object.freeze(
  Object.fromEntries(entries.map(([name, schema]) => [name, (value: unknown) => schema.safeParse(value).success])),
) as unknown as SpecTypeGuards;

/** Does nothing: messages are checked by functions that exist when their module is loaded. */
export function preloadSchemas(): void {
  // Programs call it before their first request, to build the schemas of the official SDK in time.
}
