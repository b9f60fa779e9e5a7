import { isObject } from "../../../shared/is-object.js";
import type { JsonObject } from "./openapi-document.js";
import type { Schema, SchemaTable } from "./schema-table.js";

/** How many characters the schema of a tool may have, with everything that it refers to. A model reads all of it. */
const maxSize = 40_000;
/** Groups of schemas that refer to each other stay whole up to this size. */
const maxGroupSize = 16_000;

/** Schemas of requests, or of responses. */
export type Direction = "request" | "response";

/**
 * The schemas of a table, of a size that tools can list: references that would make a tool's schema too large accept any value.
 * Which ones depends on the description alone, so that another choice of operations changes no schema.
 */
export class BoundedSchemas {
  /** Schemas by name, each after those that it refers to; only recursive ones refer to later ones. */
  readonly schemas = new Map<string, Schema>();
  /** Schemas that refer to themselves, directly or through others. */
  readonly recursive = new Set<string>();
  /** The characters of each schema, with everything that it refers to. */
  readonly #sizes = new Map<string, number>();

  constructor(
    table: SchemaTable,
    private readonly direction: Direction,
  ) {
    const own = new Map([...table.schemas].map(([name, schema]) => [name, clean(schema, direction)]));
    for (const group of groupsOf(own)) {
      const inGroup = new Set(group);
      const isRecursive = group.some((name) => referencesOf(own.get(name) ?? true).some((to) => inGroup.has(to)));
      const groupSize = group.reduce((sum, name) => sum + sizeOf(own.get(name) ?? true), 0);
      const keepsCircle = isRecursive && groupSize <= maxGroupSize;
      for (const name of group) {
        const known = (to: string): number | undefined =>
          inGroup.has(to) && !this.#sizes.has(to) ? (keepsCircle ? 0 : undefined) : this.#sizes.get(to);
        const { schema, size } = bound(own.get(name) ?? true, known);
        this.schemas.set(name, schema);
        this.#sizes.set(name, size);
        if (keepsCircle) this.recursive.add(name);
      }
    }
  }

  /** The schema of a parameter, body or response. */
  bound(schema: Schema): Schema {
    return bound(clean(schema, this.direction), (name) => this.#sizes.get(name)).schema;
  }

  /** The schema itself, or the one that it refers to. */
  follow(schema: Schema): Schema {
    const seen = new Set<string>();
    let current = schema;
    for (let name = referenceOf(current); name !== undefined && !seen.has(name); name = referenceOf(current)) {
      seen.add(name);
      current = this.schemas.get(name) ?? true;
    }
    return current;
  }

  /** The names of all schemas that a schema needs, in the order of `schemas`. */
  neededBy(roots: readonly Schema[]): readonly string[] {
    const needed = new Set<string>();
    const visit = (schema: Schema): void => {
      for (const name of referencesOf(schema)) {
        if (needed.has(name)) continue;
        needed.add(name);
        visit(this.schemas.get(name) ?? true);
      }
    };
    roots.forEach(visit);
    return [...this.schemas.keys()].filter((name) => needed.has(name));
  }
}

export function referenceOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const reference = schema["$ref"];
  return typeof reference === "string" ? reference.slice("#/schemas/".length) : undefined;
}

/** Names of the schemas that a schema refers to, once per occurrence. */
function referencesOf(schema: unknown): readonly string[] {
  const found: string[] = [];
  mapSchema(schema, (inner) => {
    const name = referenceOf(inner);
    if (name !== undefined) found.push(name);
    return undefined;
  });
  return found;
}

function sizeOf(schema: Schema): number {
  return JSON.stringify(schema).length;
}

/** Replaces references, the largest first, until the schema with all that it refers to is small enough. */
function bound(schema: Schema, sizeOfName: (name: string) => number | undefined): { schema: Schema; size: number } {
  const references = referencesOf(schema);
  const cut = new Set(references.filter((name) => sizeOfName(name) === undefined));
  let size = sizeOf(schema);
  for (const name of references) size += sizeOfName(name) ?? 0;
  const largest = [...new Set(references)].sort(
    (a, b) => (sizeOfName(b) ?? 0) - (sizeOfName(a) ?? 0) || (a < b ? -1 : 1),
  );
  for (const name of largest) {
    if (size <= maxSize) break;
    if (cut.has(name) || (sizeOfName(name) ?? 0) < 200) continue;
    cut.add(name);
    size -= (sizeOfName(name) ?? 0) * references.filter((one) => one === name).length;
  }
  if (cut.size === 0) return { schema, size };
  const replaced = mapSchema(schema, (inner) => {
    const name = referenceOf(inner);
    return name !== undefined && cut.has(name) ? { description: `${name}: any value` } : undefined;
  });
  return { schema: replaced as Schema, size };
}

/** Leaves out the members that requests or responses do not have, and in responses what is for readers only. */
function clean(schema: Schema, direction: Direction): Schema {
  const foreign = direction === "request" ? "readOnly" : "writeOnly";
  return mapSchema(schema, (inner, again) => {
    const { readOnly: _read, writeOnly: _write, ...kept } = inner;
    const rest: Record<string, unknown> = kept;
    if (direction === "response") delete rest["description"];
    const properties = rest["properties"];
    if (!isObject(properties)) return again(rest);
    const absent = new Set(
      Object.entries(properties).flatMap(([name, one]) => (isObject(one) && one[foreign] === true ? [name] : [])),
    );
    const required = Array.isArray(rest["required"]) ? (rest["required"] as unknown[]) : [];
    return again({
      ...rest,
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !absent.has(name))),
      ...(required.length > 0 && { required: required.filter((name) => !absent.has(String(name))) }),
    });
  }) as Schema;
}

type Again = (schema: JsonObject) => JsonObject;

/** Copies a schema. @param change returns another schema for one, or undefined to copy it with changed inner ones */
export function mapSchema(
  schema: unknown,
  change: (schema: JsonObject, again: Again) => JsonObject | undefined,
): unknown {
  if (!isObject(schema)) return schema;
  const again: Again = (one) =>
    Object.fromEntries(
      Object.entries(one).map(([key, inner]) => {
        if (inSchema.has(key)) return [key, mapSchema(inner, change)];
        if (inSchemas.has(key) && Array.isArray(inner)) return [key, inner.map((item) => mapSchema(item, change))];
        if (inNamed.has(key) && isObject(inner))
          return [
            key,
            Object.fromEntries(Object.entries(inner).map(([name, item]) => [name, mapSchema(item, change)])),
          ];
        return [key, inner];
      }),
    );
  return change(schema, again) ?? again(schema);
}

const inSchema = new Set(
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
const inSchemas = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const inNamed = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** Groups of names that refer to each other, each after the groups that it refers to (the algorithm of Tarjan). */
function groupsOf(schemas: ReadonlyMap<string, Schema>): readonly (readonly string[])[] {
  const groups: string[][] = [];
  const [index, low] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const open = new Set<string>();
  const visit = (name: string): void => {
    const own = index.size;
    index.set(name, own);
    low.set(name, own);
    stack.push(name);
    open.add(name);
    for (const to of new Set(referencesOf(schemas.get(name) ?? true))) {
      if (!index.has(to)) visit(to);
      if (open.has(to)) low.set(name, Math.min(low.get(name) ?? own, low.get(to) ?? own));
    }
    if (low.get(name) !== own) return;
    const group = stack.splice(stack.lastIndexOf(name));
    for (const member of group) open.delete(member);
    groups.push(group.reverse());
  };
  for (const name of schemas.keys()) if (!index.has(name)) visit(name);
  return groups;
}
