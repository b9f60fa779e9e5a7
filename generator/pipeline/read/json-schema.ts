import { diagnostic, DiagnosticError, fail, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import type { Declaration, Member, SourceModule, Span, Tags, TypeExpression } from "../../shared/model/source.js";
import { JsonLocations, type Repetition } from "../../shared/json/json-locations.js";

const maxDepth = 64;

/**
 * READ, JSON Schema: the definitions of a draft-07 or 2020-12 file, limited to the keywords that the official printer
 * and ours use.
 * @param amend corrects the definitions before they are read
 * @throws DiagnosticError with every keyword or reference outside the grammar.
 */
export function readJsonSchema(
  text: string,
  file: string,
  amend: (definitions: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (same) => same,
): SourceModule {
  const locations = new JsonLocations(text, file);
  const root = parse(locations);
  const container = isObject(root) ? (["$defs", "definitions"] as const).find((key) => isObject(root[key])) : undefined;
  if (!isObject(root) || container === undefined) return fail("json-not-schema", {}, { file, line: 1, column: 1 });

  const problems: Diagnostic[] = locations.repetitions().map((found) => repeated(found, container));
  const declarations: Declaration[] = [];
  for (const [name, schema] of Object.entries(amend(root[container] as Schema))) {
    const reader = new DefinitionReader(container, locations);
    try {
      declarations.push(reader.declaration(name, schema));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { syntax: "json-schema", file, declarations };
}

function parse(locations: JsonLocations): unknown {
  try {
    return JSON.parse(locations.text);
  } catch (error) {
    return fail("json-malformed", { reason: (error as Error).message }, locations.syntaxError(error as Error));
  }
}

function repeated({ pointer, first, second }: Repetition, container: string): Diagnostic {
  const name = pointer.at(-1) ?? "";
  if (pointer.length !== 2 || pointer[0] !== container)
    return diagnostic("duplicate-member", { name, owner: show(pointer.slice(0, -1)) }, second);
  return diagnostic("duplicate-declaration", { name, first: `${first.file}:${first.line}:${first.column}` }, second);
}

type Pointer = readonly string[];
type Schema = Readonly<Record<string, unknown>>;

const prose = new Set(["description", "title", "$comment", "examples", "default", "deprecated"]);
const bounds = ["minimum", "maximum", "minItems", "maxItems"] as const;

class DefinitionReader {
  constructor(
    private readonly container: string,
    private readonly locations: JsonLocations,
  ) {}

  declaration(name: string, value: unknown): Declaration {
    const pointer = [this.container, name];
    const span = this.span(pointer);
    const schema = this.schema(value, pointer);
    const described = typeof schema["description"] === "string" ? { text: schema["description"].trim() } : {};
    const type = this.type(schema, pointer);
    const { tags } = this.tags(schema, pointer);
    if (type.kind !== "object") return { kind: "alias", name, span, ...described, tags, type };
    const { members, index } = type;
    return { kind: "interface", name, span, ...described, tags, heritage: [], members, ...(index && { index }) };
  }

  private type(schema: Schema, pointer: Pointer): TypeExpression {
    if (pointer.length > maxDepth)
      return fail("json-too-deep", { limit: maxDepth, pointer: show(pointer) }, this.span(pointer));
    if ("$ref" in schema) return this.only(schema, ["$ref"], pointer, this.reference(schema["$ref"], pointer));
    if ("const" in schema)
      return this.only(schema, ["const", "type"], pointer, this.literal(schema["const"], [...pointer, "const"]));
    if ("enum" in schema) {
      const values = this.list(schema["enum"], [...pointer, "enum"]);
      const members = values.map((value, index) => this.literal(value, [...pointer, "enum", String(index)]));
      return this.only(schema, ["enum", "type"], pointer, union(members));
    }
    for (const [keyword, kind] of [
      ["anyOf", "union"],
      ["allOf", "intersection"],
    ] as const) {
      if (!(keyword in schema)) continue;
      const members = this.list(schema[keyword], [...pointer, keyword]).map((member, index) => {
        const at = [...pointer, keyword, String(index)];
        return this.inner(this.schema(member, at), at);
      });
      return this.only(schema, [keyword], pointer, kind === "union" ? union(members) : { kind, members });
    }
    const type = schema["type"];
    if (Array.isArray(type)) {
      const members = this.list(type, [...pointer, "type"]).map((name) => this.primitive(name, pointer));
      return this.only(schema, ["type", "format", ...bounds], pointer, union(members));
    }
    switch (type) {
      case undefined:
        return this.only(schema, [], pointer, { kind: "primitive", name: "unknown" });
      case "array": {
        const items = schema["items"];
        const at = [...pointer, "items"];
        const read: TypeExpression =
          items === undefined ? { kind: "primitive", name: "unknown" } : this.inner(this.schema(items, at), at);
        return this.only(schema, ["type", "items", ...bounds], pointer, { kind: "array", items: read });
      }
      case "object":
        return this.only(
          schema,
          ["type", "properties", "required", "additionalProperties"],
          pointer,
          this.object(schema, pointer),
        );
      default:
        return this.only(schema, ["type", "format", ...bounds], pointer, this.primitive(type, pointer));
    }
  }

  private object(schema: Schema, pointer: Pointer): TypeExpression {
    const properties = schema["properties"] ?? {};
    if (!isObject(properties)) return this.invalid("an object", [...pointer, "properties"]);
    const required = this.required(schema, pointer);
    const members = Object.entries(properties).map(([name, value]): Member => {
      const at = [...pointer, "properties", name];
      const member = this.schema(value, at);
      return {
        name,
        optional: !required.delete(name),
        type: this.type(member, at),
        ...this.tags(member, at),
        span: this.span(at),
      };
    });
    for (const name of required) {
      members.push({
        name,
        optional: false,
        // A required member that is not listed has the type of additional members.
        type: isObject(schema["additionalProperties"])
          ? this.inner(schema["additionalProperties"], [...pointer, "additionalProperties"])
          : { kind: "primitive", name: "unknown" },
        tags: {},
        span: this.span([...pointer, "required"]),
      });
    }
    const index = this.index(schema, pointer, members.length > 0);
    if (index === "any") return { kind: "primitive", name: "object" };
    return { kind: "object", members, ...(index && { index }) };
  }

  /** The official printer writes `object` as `properties: {}` with `additionalProperties: true`. */
  private index(schema: Schema, pointer: Pointer, hasMembers: boolean): TypeExpression | "any" | undefined {
    const extra = schema["additionalProperties"];
    if (extra === undefined) return undefined;
    if (extra === true) return hasMembers || !("properties" in schema) ? { kind: "primitive", name: "unknown" } : "any";
    if (extra === false) return this.unsupported("additionalProperties", pointer, "additionalProperties: false");
    const at = [...pointer, "additionalProperties"];
    return this.inner(this.schema(extra, at), at);
  }

  /** A type that is not directly a member's type has its own bounds. */
  private inner(schema: Schema, pointer: Pointer): TypeExpression {
    const { deprecated: _, ...tags } = this.tags(schema, pointer).tags;
    const type = this.type(schema, pointer);
    return Object.keys(tags).length > 0 ? bounded(type, tags) : type;
  }

  private tags(schema: Schema, pointer: Pointer): { text?: string; tags: Tags } {
    const tags: Record<string, unknown> = {};
    for (const bound of bounds) {
      const value = schema[bound];
      if (value === undefined) continue;
      if (typeof value !== "number" || !Number.isFinite(value)) return this.invalid("a number", [...pointer, bound]);
      tags[bound] = value;
    }
    const format = schema["format"];
    if (format !== undefined)
      tags["format"] = typeof format === "string" ? format : this.invalid("a string", [...pointer, "format"]);
    if (schema["deprecated"] === true) tags["deprecated"] = "";
    const text = schema["description"];
    return { ...(typeof text === "string" && text.trim() !== "" && { text: text.trim() }), tags };
  }

  private reference(value: unknown, pointer: Pointer): TypeExpression {
    const at = [...pointer, "$ref"];
    if (typeof value !== "string") return this.invalid("a string", at);
    const prefix = `#/${this.container}/`;
    if (!value.startsWith("#"))
      return fail("json-remote-reference", { reference: value, pointer: show(pointer) }, this.span(at));
    const name = value.slice(prefix.length).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!value.startsWith(prefix) || value.slice(prefix.length).includes("/"))
      return fail("unresolved-reference", { name: value }, this.span(at));
    return { kind: "reference", name, span: this.span(at) };
  }

  private primitive(name: unknown, pointer: Pointer): TypeExpression {
    switch (name) {
      case "string":
      case "number":
      case "integer":
      case "boolean":
      case "null":
      case "object":
        return { kind: "primitive", name };
      default:
        return this.invalid("a JSON Schema type name", [...pointer, "type"]);
    }
  }

  private literal(value: unknown, pointer: Pointer): TypeExpression {
    if (value === null) return { kind: "primitive", name: "null" };
    if (typeof value === "string" || Number.isFinite(value) || typeof value === "boolean")
      return { kind: "literal", value: value as string | number | boolean };
    return this.invalid("a string, number, boolean or null", pointer);
  }

  private schema(value: unknown, pointer: Pointer): Schema {
    if (value === true) return {};
    if (isObject(value)) return value;
    return this.invalid("a schema object", pointer);
  }

  private required(schema: Schema, pointer: Pointer): Set<string> {
    const names = schema["required"] ?? [];
    if (Array.isArray(names) && names.every((name) => typeof name === "string")) return new Set(names);
    return this.invalid("a list of member names", [...pointer, "required"]);
  }

  private list(value: unknown, pointer: Pointer): readonly unknown[] {
    return Array.isArray(value) && value.length > 0 ? (value as unknown[]) : this.invalid("a non-empty array", pointer);
  }

  /** Returns `type` if the schema has only the given keywords and prose. */
  private only(schema: Schema, keywords: readonly string[], pointer: Pointer, type: TypeExpression): TypeExpression {
    const stranger = Object.keys(schema).find((key) => !prose.has(key) && !keywords.includes(key));
    return stranger === undefined ? type : this.unsupported(stranger, pointer);
  }

  private unsupported(key: string, pointer: Pointer, keyword = key): never {
    return fail("json-unsupported-keyword", { keyword, pointer: show(pointer) }, this.span([...pointer, key]));
  }

  /** @param pointer where the invalid value is */
  private invalid(expected: string, pointer: Pointer): never {
    const values = { keyword: pointer.at(-1) ?? "", expected, pointer: show(pointer.slice(0, -1)) };
    return fail("json-invalid-keyword", values, this.span(pointer));
  }

  private span(pointer: Pointer): Span {
    return this.locations.locate(pointer);
  }
}

function union(members: readonly TypeExpression[]): TypeExpression {
  const [first, ...rest] = members;
  return first && rest.length === 0 ? first : { kind: "union", members };
}

function bounded(type: TypeExpression, tags: Tags): TypeExpression {
  if (type.kind === "primitive" || type.kind === "array") return { ...type, tags };
  return type.kind === "union" ? { ...type, members: type.members.map((member) => bounded(member, tags)) } : type;
}

function show(pointer: Pointer): string {
  return `#/${pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
}
