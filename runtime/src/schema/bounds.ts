import { SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import type { JsonSchema, SchemaIssue } from "./json-schema-validator.js";
import { type Dialect, dialectOf, everyKeyword, type KeywordKind, keywordsOf } from "./keywords.js";
import { pointerTo, schemaAt } from "./pointer.js";
import { applicationOrder, type Edges, pathCost } from "./schema-graph.js";

/** Limits on the size of a JSON Schema. */
export interface SchemaBounds {
  /** The most levels of nested objects and arrays. Default: 64. */
  readonly depth?: number;
  /** The most subschemas: objects, arrays and booleans anywhere in the schema. Default: 5,000. */
  readonly subschemas?: number;
  /** The most values of any kind, including keywords and names in lists. Default: 50,000. */
  readonly values?: number;
  /** The most checks along one path through a value, for untrusted schemas. Default: 100,000. */
  readonly fanOut?: number;
}

/** The limits and capabilities of an engine. */
export interface SchemaRules extends SchemaBounds {
  /** Compiles a `pattern`, and throws for an unsupported one; undefined if patterns are not allowed. */
  readonly regExp: RegExpEngine | undefined;
  readonly untrusted: boolean;
  /** Keywords that the engine would apply, but must not. */
  readonly ignored: readonly string[];
  /** Keywords of the dialect that the engine does not support. */
  readonly unsupported: readonly string[];
}

/** Compiles a regular expression. */
export type RegExpEngine = (pattern: string) => { test(text: string): boolean };

type SchemaObject = Readonly<Record<string, unknown>>;

/** The error for an unusable schema. */
export function unusableSchemaError(problem: string, at = "", cause?: unknown): SdkError {
  const place = at ? ` at #${at.length > 200 ? `${at.slice(0, 199)}…` : at}` : "";
  return new SdkError("INVALID_CONFIGURATION", `this JSON Schema cannot be used: ${problem}${place}`, undefined, {
    cause,
  });
}

/** The issue for a value that made the engine throw, most likely because the call stack was exhausted. */
export function uncheckedValueIssue(error: unknown): SchemaIssue[] {
  return [
    { path: [], message: error instanceof RangeError ? "is nested too deeply to be checked" : "cannot be checked" },
  ];
}

/**
 * Copies a schema for an engine. The copy is within the bounds, well-formed in a supported dialect, contains references only
 * to itself, and has no cycle of references on the same value. Keywords of other dialects are removed.
 *
 * @throws SdkError `INVALID_CONFIGURATION` with the condition that the schema does not meet
 */
export function checkSchema(schema: JsonSchema, rules: SchemaRules): { dialect: Dialect; schema: JsonSchema } {
  measure(schema, rules);
  if (typeof schema === "boolean") return { dialect: "2020-12", schema };
  if (!isObject(schema)) throw unusableSchemaError("it is neither an object nor a boolean");
  const dialect = schema["$schema"] === undefined ? "2020-12" : dialectOf(schema["$schema"]);
  if (!dialect)
    throw unusableSchemaError(
      `its $schema ${JSON.stringify(schema["$schema"]).slice(0, 200)} is not a supported dialect`,
    );
  const copy = copied(schema);
  const edges = walk(copy, dialect, rules);
  const order = applicationOrder(edges);
  if (!order) throw unusableSchemaError("its references form a cycle on the same value");
  if (rules.untrusted && pathCost(edges, order, copy, rules.depth ?? 64) > (rules.fanOut ?? 100_000))
    throw unusableSchemaError("checking a value may take too long");
  // References are local, so the schema's $id is not needed, and engines fail on unusual ones.
  if (typeof copy["$id"] === "string" && !copy["$id"].startsWith("#")) Reflect.deleteProperty(copy, "$id");
  return { dialect, schema: copy };
}

function copied(schema: JsonSchema): SchemaObject {
  try {
    return JSON.parse(JSON.stringify(schema)) as SchemaObject;
  } catch (cause) {
    throw unusableSchemaError("it is not JSON", "", cause);
  }
}

function measure(schema: unknown, { depth = 64, subschemas = 5_000, values = 50_000 }: SchemaBounds): void {
  let subschemaCount = 0;
  let valueCount = 0;
  const visit = (value: unknown, level: number): void => {
    if (++valueCount > values) throw unusableSchemaError(`it has more than ${values} values`);
    const isNested = typeof value === "object" && value !== null;
    if ((isNested || typeof value === "boolean") && ++subschemaCount > subschemas)
      throw unusableSchemaError(`it has more than ${subschemas} subschemas`);
    if (!isNested) return;
    if (level === depth) throw unusableSchemaError(`it is more than ${depth} levels deep`);
    for (const key in value) visit((value as SchemaObject)[key], level + 1);
  };
  visit(schema, 0);
}

interface Reference {
  readonly from: Edges;
  readonly keyword: string;
  readonly target: string;
  readonly at: string;
  readonly resource: SchemaObject;
}

/** Checks and cleans every reachable schema. Returns which schemas each one applies, and to which part of a value. */
function walk(root: SchemaObject, dialect: Dialect, rules: SchemaRules): ReadonlyMap<object, Edges> {
  const keywords = keywordsOf(dialect);
  const edges = new Map<object, Edges>();
  const anchors = new Map<SchemaObject, Map<string, SchemaObject>>();
  const dynamic: { name: string; schema: SchemaObject }[] = [];
  const references: Reference[] = [];
  const pending: [schema: unknown, at: string, resource: SchemaObject][] = [[root, "", root]];

  const visit = (schema: unknown, at: string, resource: SchemaObject): void => {
    if (typeof schema === "boolean") return;
    if (!isObject(schema)) throw unusableSchemaError("a subschema is neither an object nor a boolean", at);
    if (edges.has(schema)) return;
    const own: Edges = { here: [], either: [], children: new Map() };
    edges.set(schema, own);
    const id = schema["$id"];
    const scope = typeof id === "string" && !id.startsWith("#") ? schema : resource;
    const name = (text: unknown, to: SchemaObject): void => {
      if (typeof text === "string")
        anchors.set(scope, (anchors.get(scope) ?? new Map<string, SchemaObject>()).set(text, to));
    };
    if (scope === resource && typeof id === "string") name(id.slice(1), schema);
    // Before 2019-09, keywords next to a $ref were ignored.
    const onlyRef = dialect === "draft-07" && typeof schema["$ref"] === "string";
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = keywords.get(keyword);
      const ignored = kind ? onlyRef && !besideRef.has(keyword) : everyKeyword.has(keyword);
      if (ignored || rules.ignored.includes(keyword)) Reflect.deleteProperty(schema, keyword);
      if (!kind || ignored) continue;
      const here = pointerTo(at, keyword);
      if (rules.unsupported.includes(keyword))
        throw unusableSchemaError(`this validator does not support ${keyword}`, here);
      if (typeof kind === "function" && !kind(value))
        throw unusableSchemaError("the keyword has an invalid value", here);
      if (keyword === "$schema" && dialectOf(value) !== dialect)
        throw unusableSchemaError("a subschema changes the dialect", here);
      if (keyword === "pattern") usePattern(value as string, here, rules);
      if (keyword === "patternProperties" && isObject(value))
        for (const pattern of Object.keys(value)) usePattern(pattern, here, rules);
      if (/^\$(dynamic|recursive)?ref$/i.test(keyword))
        references.push({ from: own, keyword, target: value as string, at: here, resource: scope });
      for (const [part, subschema] of subschemasOf(kind, value, here)) {
        link(own, keyword, part, subschema);
        pending.push([subschema, part === undefined ? here : pointerTo(here, part), scope]);
      }
    }
    name(schema["$anchor"], schema);
    name(schema["$dynamicAnchor"], schema);
    if (typeof schema["$dynamicAnchor"] === "string") dynamic.push({ name: schema["$dynamicAnchor"], schema });
    if (schema["$recursiveAnchor"] === true) dynamic.push({ name: "", schema });
  };

  // Pointers may lead to schemas outside all keywords, so they come first; anchors are known once all schemas are visited.
  for (let next = 0; ;) {
    const item = pending.pop();
    if (item) {
      visit(...item);
      continue;
    }
    const reference = references[next++];
    if (!reference) break;
    const { target, at, resource, from, keyword } = reference;
    if (!target.startsWith("#"))
      throw unusableSchemaError("it references another document, and references are never fetched", at);
    if (target.length > 1 && !target.startsWith("#/")) continue;
    const found = schemaAt(resource, decode(target.slice(1)), keywords);
    if (found === undefined) throw unusableSchemaError("it references a subschema that does not exist", at);
    pending.push([found, decode(target.slice(1)), resource]);
    if (typeof found === "object") into(from, keyword).push(found);
  }
  for (const { target, at, resource, from, keyword } of references) {
    const anchor = decode(target.slice(1));
    if (keyword !== "$ref") for (const { name, schema } of dynamic) if (name === anchor) from.either.push(schema);
    if (anchor === "" || anchor.startsWith("/")) continue;
    const found = anchors.get(resource)?.get(anchor);
    if (!found) throw unusableSchemaError("it references a subschema that does not exist", at);
    into(from, keyword).push(found);
  }
  return edges;
}

function into({ here, either }: Edges, keyword: string): object[] {
  return keyword === "$ref" ? here : either;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function usePattern(pattern: string, at: string, { regExp }: SchemaRules): void {
  if (!regExp) throw unusableSchemaError("patterns of an untrusted schema need a linear-time regExp engine", at);
  try {
    regExp(pattern);
  } catch (cause) {
    throw unusableSchemaError("the regExp engine does not support the pattern", at, cause);
  }
}

type Found = [part: string | number | undefined, subschema: unknown];

function subschemasOf(kind: KeywordKind, value: unknown, at: string): Found[] {
  if (typeof kind === "function") return [];
  if (kind === "schema" || (kind === "schema or list" && !Array.isArray(value))) return [[undefined, value]];
  if (kind === "map" || kind === "dependencies") {
    if (!isObject(value)) throw unusableSchemaError("the keyword must be an object", at);
    return Object.entries(value).filter(([, part]) => !(kind === "dependencies" && isNames(part)));
  }
  if (!Array.isArray(value) || value.length === 0)
    throw unusableSchemaError("the keyword must be a non-empty array of schemas", at);
  return value.map((part, index) => [index, part]);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

const besideRef = new Set(["$ref", "$defs", "definitions"]);
const onTheValue = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);
const onProperties = new Set(["properties", "additionalProperties", "unevaluatedProperties", "patternProperties"]);
const onItems = new Set(["prefixItems", "items", "additionalItems", "unevaluatedItems", "contains"]);

/** Records what a keyword applies its subschema to: the value itself, one child, or any child. */
function link(from: Edges, keyword: string, part: string | number | undefined, subschema: unknown): void {
  if (typeof subschema !== "object" || subschema === null) return;
  if (onTheValue.has(keyword)) from.here.push(subschema);
  const sign = onProperties.has(keyword) ? "." : onItems.has(keyword) ? "#" : undefined;
  if (!sign) return;
  const any = keyword === "contains" || keyword === "patternProperties";
  const key = any ? `${sign}any` : part === undefined ? `${sign}*` : `${sign}=${part}`;
  const known = from.children.get(key);
  if (known) known.push(subschema);
  else from.children.set(key, [subschema]);
}
