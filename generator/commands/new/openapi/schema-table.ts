import { isObject } from "../../../shared/is-object.js";
import { NamePool } from "./names.js";
import { type JsonObject, own, type OpenApiDocument, pointerSegments } from "./openapi-document.js";

const maxLength = 100;

/** A JSON Schema 2020-12, with references `#/schemas/<name>` into a table. */
export type Schema = JsonObject | boolean;

/**
 * The schemas that others refer to, as JSON Schema 2020-12. A schema of OpenAPI 3.0 is converted: `nullable`, and exclusive
 * limits that are booleans. Keywords that say nothing about values are left out.
 */
export class SchemaTable {
  readonly schemas = new Map<string, Schema>();
  readonly #names = new Map<string, string>();
  readonly #pool = new NamePool();
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    // All of them, so that the names do not depend on which operations are picked.
    for (const name of Object.keys(componentsOf(document)))
      this.nameOf(`#/components/schemas/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`, "#");
  }

  /** Converts a schema of an operation. */
  convert(value: unknown, pointer: string): Schema {
    if (!isObject(value)) return value !== false;
    const reference = own(value, "$ref");
    if (typeof reference === "string") return this.#reference(reference, value, pointer);
    const result: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      if (ofSchema.has(key)) result[key] = this.convert(inner, pointer);
      else if (ofSchemas.has(key) && Array.isArray(inner)) result[key] = inner.map((one) => this.convert(one, pointer));
      else if (ofNamed.has(key) && isObject(inner))
        result[key] = Object.fromEntries(
          Object.entries(inner).map(([name, one]) => [name, this.convert(one, pointer)]),
        );
      else if (asIs.has(key) && (key !== "type" || isType(inner))) result[key] = inner;
    }
    if (this.#document.isOld) return fromOldDialect(result, value);
    const { type, ...rest } = result;
    const hasOther = ["anyOf", "oneOf", "allOf"].some((keyword) => keyword in rest);
    return type === "null" && hasOther ? orNull(rest) : result;
  }

  #reference(reference: string, value: JsonObject, pointer: string): Schema {
    const converted = { $ref: `#/schemas/${this.nameOf(reference, pointer)}` };
    // In OpenAPI 3.0, what stands beside a reference has no meaning.
    if (this.#document.isOld) return converted;
    const { $ref, ...beside } = value;
    const rest = this.convert(beside, pointer);
    if (typeof rest === "boolean" || Object.keys(rest).length === 0 || typeof $ref !== "string") return converted;
    if (rest["type"] === "null" && Object.keys(rest).length === 1) return orNull(converted);
    return Object.keys(rest).every((key) => key === "description")
      ? { ...converted, ...rest }
      : { allOf: [converted, rest] };
  }

  /** The name in the table of what a reference names. */
  nameOf(reference: string, pointer: string): string {
    const segments = pointerSegments(reference);
    const key = JSON.stringify(segments);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#pool.take(typeNameOf(segments), maxLength);
    this.#names.set(key, name);
    this.schemas.set(name, true);
    this.schemas.set(name, this.convert(this.#document.resolve(reference, pointer), reference));
    return name;
  }
}

const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** The schema of OpenAPI 3.1 does not check schemas. */
function isType(value: unknown): boolean {
  return [value].flat().every((one) => typeof one === "string" && types.has(one));
}

function componentsOf({ root }: OpenApiDocument): JsonObject {
  const components = own(root, "components");
  const schemas = isObject(components) ? own(components, "schemas") : undefined;
  return isObject(schemas) ? schemas : {};
}

/** `PetStatus` for the segments of `#/components/schemas/pet-status`. */
function typeNameOf(segments: readonly string[]): string {
  const isComponent = segments.length === 3 && segments[0] === "components" && segments[1] === "schemas";
  return pascalCase(isComponent ? (segments[2] ?? "") : segments.slice(-3).join(" "));
}

export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(joined) ? joined : `Schema${joined}`;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const ofSchema = words(
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties",
);
const ofSchemas = words("allOf anyOf oneOf prefixItems");
const ofNamed = words("properties patternProperties dependentSchemas");
const asIs = words(
  "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required description default format readOnly writeOnly contentEncoding contentMediaType dependentRequired",
);

/** Converters from OpenAPI 3.0 write `nullable` as `type: "null"` beside other keywords, which no value can fulfil. */
function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: "null" }] };
}

function fromOldDialect(schema: JsonObject, original: JsonObject): Schema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...others } = schema;
  const result: Record<string, unknown> = {
    ...others,
    ...(minimum !== undefined && { [exclusiveMinimum === true ? "exclusiveMinimum" : "minimum"]: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum === true ? "exclusiveMaximum" : "maximum"]: maximum }),
  };
  if (own(original, "nullable") !== true) return result;
  if (typeof result["type"] === "string") {
    if (Array.isArray(result["enum"]) && !result["enum"].includes(null))
      result["enum"] = [...(result["enum"] as unknown[]), null];
    return { ...result, type: [result["type"], "null"] };
  }
  if (Object.keys(result).every((key) => key === "description")) return result;
  const { description, ...rest } = result;
  return { ...(description !== undefined && { description }), anyOf: [rest, { type: "null" }] };
}
