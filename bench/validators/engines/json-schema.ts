import { readFileSync } from "node:fs";
import type { Revision } from "../contract.js";

/** The keywords that our `schema.json` uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

export interface SchemaFile {
  readonly $schema: string;
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

/** Reads the JSON Schema that states exactly what our predicates check. */
export function schemaOf(revision: Revision): SchemaFile {
  const file = new URL(`../../../generated/${revision}/schema.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as SchemaFile;
}
