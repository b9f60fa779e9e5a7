import { isObject } from "../../../shared/is-object.js";
import type { SuccessResponse } from "./api-model.js";
import { type Located, type OpenApiDocument, own } from "./openapi-document.js";
import type { Schema, SchemaTable } from "./schema-table.js";

/** What successful calls return: the first success that has a body, or else the first one. */
export function readResponse(document: OpenApiDocument, operation: Located, table: SchemaTable): SuccessResponse {
  const responses = document.members(document.member(operation, "responses"));
  const successes = responses.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const stated = successes.length > 0 ? successes : responses.filter(([status]) => status === "default");
  const read = stated.map(([status, response]) => readOne(document, status, response, table));
  const best = read.find(({ json }) => json) ?? read.find(({ type }) => type !== undefined) ?? read[0];
  if (!best) return { status: 200, type: undefined, schema: {}, isStructured: false };
  const { status, type, schema } = best;
  // With several different successes, no schema describes all of them; a default response is mostly that of errors.
  const isOnly = read.every((one) => one.json && JSON.stringify(one.schema) === JSON.stringify(schema));
  return { status, type, schema, isStructured: successes.length > 0 && isOnly && best.isOnlyJson };
}

interface ReadResponse extends SuccessResponse {
  readonly json: boolean;
  readonly isOnlyJson: boolean;
}

function readOne(document: OpenApiDocument, status: string, response: Located, table: SchemaTable): ReadResponse {
  // HTTP allows no content with these, also where the description has one.
  const hasContent = status !== "204" && status !== "205";
  const media = hasContent ? document.members(document.member(response, "content")) : [];
  const json = media.find(([type]) => /[/+]json$/.test(baseOf(type)) || baseOf(type) === "*/*");
  const [type, one] = json ?? media[0] ?? [];
  const stated: unknown = one && own(one.value, "schema");
  const schema: Schema = stated === undefined || !one ? {} : table.convert(stated, one.pointer);
  const base = type === undefined ? undefined : baseOf(type);
  return {
    status: /^\d+$/.test(status) ? Number(status) : 200,
    type: base === "*/*" ? "application/json" : base,
    schema,
    json: json !== undefined,
    isOnlyJson: json !== undefined && stated !== undefined,
    isStructured: false,
  };
}

function baseOf(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether every value of a schema is an object. */
export function isObjectSchema(schema: Schema, follow: (schema: Schema) => Schema, depth = 0): boolean {
  const followed = follow(schema);
  if (!isObject(followed) || depth > 20) return false;
  const { type, allOf, properties } = followed;
  if (type !== undefined) return type === "object";
  if (Array.isArray(allOf) && allOf.some((one) => isObjectSchema(one as Schema, follow, depth + 1))) return true;
  return isObject(properties) && followed["anyOf"] === undefined && followed["oneOf"] === undefined;
}
