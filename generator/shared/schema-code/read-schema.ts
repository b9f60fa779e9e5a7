import { diagnostic, DiagnosticError, type Diagnostic } from "../diagnostics/diagnostic.js";
import { isObject } from "../is-object.js";
import { isPattern, Keywords } from "./keywords.js";
import { hasOwn, pointerOf, segmentsOf } from "./pointer.js";
import type { ArrayKeywords, JsonType, Named, ObjectKeywords, SchemaGraph, SchemaNode } from "./schema-node.js";
import { inPlaceSchemas } from "./schema-node.js";

/** How deep a schema may be nested, and how many subschemas it may have. */
const bounds = { depth: 64, nodes: 5000 };

const jsonTypes: ReadonlySet<unknown> = new Set("array boolean integer null number object string".split(" "));

/** Keywords that cannot be ignored, because the schema would have another meaning without them. */
const refused = ["$dynamicRef", "$recursiveRef"];

/**
 * Reads a JSON Schema (2020-12, or draft-07 where `$schema` says so). Unknown keywords are annotations.
 * @param name the schema's name in diagnostics
 * @throws DiagnosticError schema-malformed, schema-unsupported, schema-unresolved, schema-circular, schema-too-large
 */
export function readSchema(name: string, document: unknown): SchemaGraph {
  const reader = new Reader(name, document);
  return reader.graph();
}

type One = (keyword: string) => SchemaNode | undefined;

class Reader {
  private readonly problems: Diagnostic[] = [];
  private readonly nodes = new Map<string, SchemaNode>();
  private readonly anchors = new Map<string, string>();
  private readonly references: { readonly ref: string; readonly at: string; readonly node: { ref?: string } }[] = [];
  private readonly draft7: boolean;

  constructor(
    private readonly name: string,
    private readonly document: unknown,
  ) {
    const dialect = hasOwn(document, "$schema") ? document["$schema"] : undefined;
    this.draft7 = typeof dialect === "string" && /draft-0[4-7]\b/.test(dialect);
  }

  graph(): SchemaGraph {
    const root = this.read(this.document, []);
    for (let next = 0; next < this.references.length; next++) this.resolve(next);
    this.stop();
    const graph = { root, nodes: this.nodes };
    const circle = circleIn(graph);
    if (circle !== undefined) this.report("schema-circular", circle, "$ref", "refers back to itself");
    this.stop();
    return graph;
  }

  private stop(): void {
    if (this.problems.length > 0) throw new DiagnosticError(this.problems);
  }

  private report(
    id: "schema-malformed" | "schema-unsupported" | "schema-unresolved" | "schema-circular",
    pointer: string,
    keyword: string,
    problem: string,
  ): void {
    if (this.problems.length < 20) this.problems.push(diagnostic(id, { schema: this.name, pointer, keyword, problem }));
  }

  private read(schema: unknown, path: readonly string[]): SchemaNode {
    const pointer = pointerOf(path);
    const known = this.nodes.get(pointer);
    if (known) return known;
    if (path.length > 2 * bounds.depth || this.nodes.size >= bounds.nodes) {
      const limit = path.length > 2 * bounds.depth ? `${bounds.depth} levels` : `${bounds.nodes} subschemas`;
      throw new DiagnosticError([diagnostic("schema-too-large", { schema: this.name, limit })]);
    }
    if (isObject(schema)) return this.schema(schema, path, pointer);
    if (typeof schema !== "boolean")
      this.report("schema-malformed", pointer, path.at(-1) ?? "#", "must be an object or a boolean");
    const node = { ...empty, pointer, never: schema === false };
    this.nodes.set(pointer, node);
    return node;
  }

  private schema(raw: Readonly<Record<string, unknown>>, path: readonly string[], pointer: string): SchemaNode {
    const keywords = new Keywords(raw, (keyword, problem) =>
      this.report("schema-malformed", pointer, keyword, problem),
    );
    const node: { -readonly [K in keyof SchemaNode]: SchemaNode[K] } = { ...empty, pointer };
    this.nodes.set(pointer, node);
    const one = (keyword: string): SchemaNode | undefined =>
      hasOwn(raw, keyword) ? this.read(raw[keyword], [...path, keyword]) : undefined;
    const list = (keyword: string): readonly SchemaNode[] =>
      keywords.list(keyword).map((inner, index) => this.read(inner, [...path, keyword, String(index)]));
    const map = (keyword: string): Named<SchemaNode> =>
      keywords.map(keyword).map(([name, inner]) => [name, this.read(inner, [...path, keyword, name])]);

    this.names(raw, path, pointer);
    map("$defs");
    map("definitions");
    for (const keyword of refused)
      if (hasOwn(raw, keyword)) this.report("schema-unsupported", pointer, keyword, "is not supported");
    const ref = keywords.text("$ref");
    if (ref !== undefined) this.references.push({ ref, at: pointer, node });
    // Before 2019-09, keywords next to a reference are ignored.
    if (ref !== undefined && this.draft7) return node;

    const types = this.types(raw, pointer);
    Object.assign(node, {
      ...(types && { types }),
      values: [
        ...(hasOwn(raw, "enum") ? [keywords.list("enum", true)] : []),
        ...(hasOwn(raw, "const") ? [[raw["const"]]] : []),
      ],
      number: keywords.numbers(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
      string: { ...keywords.counts({ minLength: "minLength", maxLength: "maxLength" }), ...keywords.pattern() },
      object: this.object(raw, keywords, path, { one, map }),
      array: this.array(raw, keywords, { one, list }),
      allOf: list("allOf"),
      anyOf: list("anyOf"),
      oneOf: list("oneOf"),
    });
    for (const keyword of ["not", "if", "then", "else"] as const) {
      const inner = one(keyword);
      if (inner) node[keyword] = inner;
    }
    return node;
  }

  private names(raw: Readonly<Record<string, unknown>>, path: readonly string[], pointer: string): void {
    const id = raw["$id"];
    const anchor = typeof id === "string" && id.startsWith("#") ? id.slice(1) : raw["$anchor"];
    if (typeof anchor === "string") this.anchors.set(anchor, pointer);
    if (path.length > 0 && typeof id === "string" && !id.startsWith("#"))
      this.report("schema-unsupported", pointer, "$id", "in a nested schema is not supported");
  }

  private types(raw: Readonly<Record<string, unknown>>, pointer: string): readonly JsonType[] | undefined {
    if (!hasOwn(raw, "type")) return undefined;
    const { type } = raw;
    const names: readonly unknown[] = Array.isArray(type) ? type : [type];
    if (names.length > 0 && names.every((one) => jsonTypes.has(one))) return names as readonly JsonType[];
    this.report("schema-malformed", pointer, "type", `must be one or more of ${[...jsonTypes].join(", ")}`);
    return undefined;
  }

  private object(
    raw: Readonly<Record<string, unknown>>,
    keywords: Keywords,
    path: readonly string[],
    { one, map }: { readonly one: One; readonly map: (keyword: string) => Named<SchemaNode> },
  ): ObjectKeywords {
    const [additional, unevaluated, names] = [
      one("additionalProperties"),
      one("unevaluatedProperties"),
      one("propertyNames"),
    ];
    const dependencies = this.draft7 ? keywords.map("dependencies") : [];
    const patterns = map("patternProperties");
    for (const [pattern] of patterns) {
      if (!isPattern(pattern))
        this.report(
          "schema-malformed",
          pointerOf(path),
          "patternProperties",
          "has a name that is not a regular expression",
        );
    }
    const lists = dependencies.filter(([, value]) => Array.isArray(value));
    const schemas = dependencies.filter(([, value]) => !Array.isArray(value));
    return {
      properties: map("properties"),
      required: keywords.strings("required", raw["required"]),
      patterns,
      ...(additional && { additional }),
      ...(unevaluated && { unevaluated }),
      ...(names && { names }),
      ...keywords.counts({ minProperties: "minimum", maxProperties: "maximum" }),
      dependentRequired: [...keywords.map("dependentRequired"), ...lists].map(([name, value]) => [
        name,
        keywords.strings("dependentRequired", value),
      ]),
      dependentSchemas: [
        ...map("dependentSchemas"),
        ...schemas.map(([name, value]) => [name, this.read(value, [...path, "dependencies", name])] as const),
      ],
    };
  }

  private array(
    raw: Readonly<Record<string, unknown>>,
    keywords: Keywords,
    { one, list }: { readonly one: One; readonly list: (keyword: string) => readonly SchemaNode[] },
  ): ArrayKeywords {
    // The tuple of draft-07, which many schemas use without naming that draft.
    const old = Array.isArray(raw["items"]);
    const prefix = old ? list("items") : list("prefixItems");
    const items = old ? one("additionalItems") : one("items");
    const [unevaluated, contains] = [one("unevaluatedItems"), one("contains")];
    return {
      prefix,
      ...(items && { items }),
      ...(unevaluated && { unevaluated }),
      ...(contains && { contains }),
      ...keywords.counts({ minItems: "minimum", maxItems: "maximum" }),
      ...(contains && keywords.counts({ minContains: "minContains", maxContains: "maxContains" })),
      unique: keywords.flag("uniqueItems"),
    };
  }

  /** Resolves a reference; its target can contain further ones. */
  private resolve(index: number): void {
    const reference = this.references[index];
    if (!reference) return;
    const { ref, at, node } = reference;
    const segments = ref === "#" ? [] : ref.startsWith("#/") ? segmentsOf(ref) : undefined;
    if (segments) {
      let target: unknown = this.document;
      for (const segment of segments) target = hasOwn(target, segment) ? target[segment] : undefined;
      if (target !== undefined) {
        node.ref = this.read(target, segments).pointer;
        return;
      }
    }
    const anchored = ref.startsWith("#") ? this.anchors.get(ref.slice(1)) : undefined;
    if (anchored !== undefined) node.ref = anchored;
    else this.report("schema-unresolved", at, "$ref", ref);
  }
}

const empty: Omit<SchemaNode, "pointer"> = {
  never: false,
  values: [],
  number: {},
  string: {},
  object: { properties: [], required: [], patterns: [], dependentRequired: [], dependentSchemas: [] },
  array: { prefix: [], unique: false },
  allOf: [],
  anyOf: [],
  oneOf: [],
};

/** A schema that refers to itself for the same value, so that no check of it would ever end. */
function circleIn(graph: SchemaGraph): string | undefined {
  const done = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();
  const visit = (node: SchemaNode): string | undefined => {
    if (open.has(node)) return node.pointer;
    if (done.has(node)) return undefined;
    open.add(node);
    for (const inner of inPlaceSchemas(node, graph)) {
      const found = visit(inner);
      if (found !== undefined) return found;
    }
    open.delete(node);
    done.add(node);
    return undefined;
  };
  for (const node of graph.nodes.values()) {
    const found = visit(node);
    if (found !== undefined) return found;
  }
  return undefined;
}
