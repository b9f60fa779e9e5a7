import { isObject } from "../../../shared/is-object.js";
import type { JsonObject } from "./openapi-document.js";
import type { Schema } from "./schema-table.js";

type Follow = (schema: Schema) => Schema;

/**
 * One schema that says the same as a schema with `allOf`, if all parts describe objects, or only one part describes a value.
 * Undefined if there is none.
 */
export function mergeAllOf(schema: JsonObject, follow: Follow, depth = 0): JsonObject | undefined {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  if (depth > 16) return undefined;
  const { description, ...others } = rest;
  const stated = [...(allOf as readonly Schema[]), ...(Object.keys(others).length > 0 ? [others] : [])];
  const telling = stated.filter((part) => isObject(part) && Object.keys(part).some((key) => !silent.has(key)));
  const [only] = telling;
  const described = description === undefined ? {} : { description };
  if (telling.length === 1 && isObject(only)) {
    if (typeof only["$ref"] === "string") {
      const followed = follow(only);
      // A reference keeps its name, unless it stands for an object that has to be merged further up.
      if (!isObject(followed) || depth === 0) return depth === 0 ? { ...only, ...described } : undefined;
      return mergeAllOf(followed, follow, depth + 1);
    }
    return mergeAllOf({ ...only, ...described }, follow, depth + 1);
  }
  const parts: JsonObject[] = [];
  for (const part of telling) {
    const followed = follow(part);
    const merged = isObject(followed) ? mergeAllOf(followed, follow, depth + 1) : undefined;
    const inner = merged && typeof merged["$ref"] === "string" ? follow(merged) : merged;
    if (!isObject(inner) || !isPlainObject(inner)) return undefined;
    parts.push(inner);
  }
  if (parts.length === 0) return undefined;
  return { ...parts.reduce(mergeObjects), type: "object", ...described };
}

/** Keywords that say nothing about the value. */
const silent = new Set(["description", "default", "format", "readOnly", "writeOnly"]);
const ofObjects = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  ...silent,
]);

function isPlainObject(schema: JsonObject): boolean {
  const isObjectType = schema["type"] === "object" || schema["type"] === undefined;
  return isObjectType && Object.keys(schema).every((key) => ofObjects.has(key));
}

function mergeObjects(left: JsonObject, right: JsonObject): JsonObject {
  const properties = new Map(Object.entries(membersOf(left)));
  for (const [name, schema] of Object.entries(membersOf(right))) {
    const other = properties.get(name);
    properties.set(name, other === undefined || same(other, schema) ? schema : { allOf: [other, schema] });
  }
  const required = new Set([...namesOf(left), ...namesOf(right)]);
  // Each part would forbid the members of the others, so only schemas of further members are kept.
  const additional = [left, right].map((one) => one["additionalProperties"]).find(isObject);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
    ...(additional && { additionalProperties: additional }),
  };
}

function membersOf(schema: JsonObject): JsonObject {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

function namesOf(schema: JsonObject): readonly unknown[] {
  return Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
