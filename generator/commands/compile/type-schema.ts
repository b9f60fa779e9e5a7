import { Node, SymbolFlags, ts, TypeFlags, type Symbol as MorphSymbol, type Type } from "ts-morph";
import { Names } from "../../shared/schema-code/module-names.js";
import { applyConstraintTags } from "./constraint-tags.js";
import { readDocComment, type DocComment } from "./doc-comment.js";
import { aliasAt, elementNode, tupleNodes, valueNode, writtenType } from "./type-nodes.js";
import { literalSchema, unionSchema } from "./literals.js";
import type { ProblemCollector } from "./problem-collector.js";
import type { JsonSchema } from "./tool-model.js";

/** The maximum nesting of types. A recursive generic type can grow infinitely. */
const maxDepth = 50;
const maxTypes = 5000;

/** Prints the JSON Schema of a type. */
export function schemaOfType(type: Type, node: Node, problems: ProblemCollector): JsonSchema {
  const writer = new SchemaWriter(problems);
  const schema = writer.of(type, node, 0);
  const definitions = writer.definitions();
  return definitions.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) };
}

interface Definition {
  readonly name: string;
  schema: JsonSchema | undefined;
}

class SchemaWriter {
  private readonly open = new Set<ts.Type>();
  private readonly recursive = new Map<ts.Type, Definition>();
  private readonly names = new Names([]);
  private count = 0;

  constructor(private readonly problems: ProblemCollector) {}

  definitions(): readonly (readonly [string, JsonSchema])[] {
    return [...this.recursive.values()].map(({ name, schema }) => [name, schema ?? {}]);
  }

  /** @param node the place of the type, or the member that has it */
  of(type: Type, node: Node, depth: number): JsonSchema {
    const alias = aliasAt(node, type, (lost) => {
      const tags = applyConstraintTags({}, readDocComment(lost).tags, () => undefined);
      const hint = "Write the tags on the member instead, or an alias for the whole type.";
      if (Object.keys(tags).length > 0)
        this.refuse(
          node,
          `a union with ${lost.getText().split("=", 1)[0]?.trim() ?? ""}, the tags of which would be lost,`,
          hint,
        );
    });
    const schema = this.plain(type, writtenType(node) ?? node, depth);
    return alias ? this.documented(schema, readDocComment(alias), alias) : schema;
  }

  /** Adds a description and the constraints of tags. */
  private documented(schema: JsonSchema, doc: DocComment, node: Node): JsonSchema {
    const description = doc.text === "" ? {} : { description: doc.text };
    return applyConstraintTags({ ...schema, ...description }, doc.tags, (tag, problem) =>
      this.problems.tag(node, tag, problem),
    );
  }

  private plain(type: Type, node: Node, depth: number): JsonSchema {
    if (depth > maxDepth || ++this.count > maxTypes) {
      if (this.count <= maxTypes + 1 || depth > maxDepth)
        this.refuse(node, `a type of more than ${depth > maxDepth ? `${maxDepth} levels` : `${maxTypes} parts`}`);
      return {};
    }
    if (type.isUnknown()) return {};
    if (type.isNull()) return { type: "null" };
    if (type.isString()) return { type: "string" };
    if (type.isNumber()) return { type: "number" };
    if (type.isBoolean()) return { type: "boolean" };
    if (type.isLiteral() && !type.isUnion()) {
      const literal = literalSchema([type]);
      if (literal) return literal;
    }
    if (type.isUnion()) return this.union(type, node, depth);
    const refusal = refusalOf(type);
    if (refusal) {
      this.refuse(node, ...refusal);
      return {};
    }
    return this.structure(type, node, depth);
  }

  private union(type: Type, node: Node, depth: number): JsonSchema {
    const parts = type.getUnionTypes().filter((part) => !part.isUndefined());
    return unionSchema(parts, (part) => this.plain(part, node, depth + 1));
  }

  /** Objects and arrays, which may be recursive. */
  private structure(type: Type, node: Node, depth: number): JsonSchema {
    const identity = type.compilerType;
    const known = this.recursive.get(identity);
    if (known || this.open.has(identity)) return { $ref: `#/$defs/${(known ?? this.define(type)).name}` };
    this.open.add(identity);
    const schema = type.isTuple()
      ? this.tuple(type, node, depth)
      : type.isArray() || type.isReadonlyArray()
        ? { type: "array", items: this.of(type.getArrayElementTypeOrThrow(), elementNode(node), depth + 1) }
        : this.object(type, node, depth);
    this.open.delete(identity);
    const definition = this.recursive.get(identity);
    if (!definition) return schema;
    definition.schema = schema;
    return { $ref: `#/$defs/${definition.name}` };
  }

  private define(type: Type): Definition {
    const symbol = type.getAliasSymbol() ?? type.getSymbol();
    const name = symbol?.getName() ?? "";
    const definition = { name: this.names.take(name.startsWith("__") ? "Recursive" : name), schema: undefined };
    this.recursive.set(type.compilerType, definition);
    return definition;
  }

  private tuple(type: Type, node: Node, depth: number): JsonSchema {
    const { target } = type.compilerType as ts.TupleTypeReference;
    const flags = target.elementFlags;
    const nodes = tupleNodes(node);
    const elements = type.getTupleElements().map((element, index) => ({ element, place: nodes[index] ?? node }));
    const prefixItems = elements
      .filter((_, index) => !isRest(flags[index]))
      .map(({ element, place }) => this.of(withoutUndefined(element), place, depth + 1));
    const [last] = elements.filter((_, index) => isRest(flags[index]));
    const first = flags.findIndex(isRest);
    if (first >= 0 && first < flags.length - 1)
      this.refuse(node, "a tuple with a rest in the middle", "Write the rest last.");
    const items = last ? this.of(last.element, last.place, depth + 1) : false;
    return {
      type: "array",
      ...(prefixItems.length > 0 && { prefixItems }),
      items,
      ...(target.minLength > 0 && { minItems: target.minLength }),
    };
  }

  private object(type: Type, node: Node, depth: number): JsonSchema {
    const properties: [string, JsonSchema][] = [];
    const required: string[] = [];
    for (const symbol of type.getProperties()) {
      const place = declarationOf(symbol) ?? node;
      const name = symbol.getName();
      if (name.startsWith("__@")) {
        this.refuse(place, "a member whose name is a symbol");
        continue;
      }
      const member = symbol.getTypeAtLocation(node);
      if (!symbol.hasFlags(SymbolFlags.Optional) && !allowsUndefined(member)) required.push(name);
      const schema = this.of(withoutUndefined(member), place, depth + 1);
      properties.push([name, this.documented(schema, readDocComment(place), place)]);
    }
    const index = type.getStringIndexType();
    const holder = type.getAliasSymbol() ?? type.getSymbol();
    const declaration = holder && !isFromLibrary(holder) ? declarationOf(holder) : undefined;
    const schema: JsonSchema = {
      type: "object",
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.of(withoutUndefined(index), valueNode(node, type), depth + 1) }),
    };
    if (!index && type.getNumberIndexType()) this.refuse(node, "an object with numbered members", "Write an array.");
    // An inline type has the doc comment of its member.
    const named = Node.isInterfaceDeclaration(declaration) || Node.isTypeAliasDeclaration(declaration);
    return named ? this.documented(schema, readDocComment(declaration), declaration) : schema;
  }

  private refuse(node: Node, type: string, hint = "Write a type that JSON can hold; see docs/cli/compile.md."): void {
    this.problems.type(node, type, hint);
  }
}

type Refusal = readonly [type: string, hint?: string];

function refusalOf(type: Type): Refusal | undefined {
  const text = typeText(type);
  if (type.isAny())
    return [
      `${text} (written so, or not found)`,
      "Write unknown for any JSON value; run tsc to see what is not found.",
    ];
  if (type.isUndefined() || type.isVoid()) return [text, "Make the member optional, or write null."];
  if (type.isNever()) return [text];
  if (type.isBigInt() || type.isBigIntLiteral())
    return [text, "JSON has no bigint: write a string with @pattern, or a number."];
  if (type.getFlags() & TypeFlags.ESSymbolLike) return [text];
  if (type.isTemplateLiteral()) return [text, "Write string with @pattern."];
  if (type.isTypeParameter() || type.getFlags() & (TypeFlags.Index | TypeFlags.Conditional | TypeFlags.IndexedAccess))
    return [`${text}, which is not known here`, "Write a type without open parameters."];
  if (type.getFlags() & TypeFlags.NonPrimitive) return undefined;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return [`the function ${text}`, "JSON has no functions: leave the member out."];
  const parts = type.isIntersection() ? type.getIntersectionTypes() : [type];
  if (parts.some((part) => !part.isObject())) return [text, "Intersections have to be of objects."];
  if (type.isArray() || type.isReadonlyArray() || type.isTuple()) return undefined;
  const instance = parts.map((part) => part.getSymbol()).find((symbol) => symbol && isInstance(symbol));
  if (!instance) return undefined;
  const date = instance.getName() === "Date";
  return [
    `an instance of ${instance.getName()}`,
    date ? "Write string with @format date-time." : "Write an interface with the members that JSON holds.",
  ];
}

function isInstance(symbol: MorphSymbol): boolean {
  const declarations = symbol.getDeclarations();
  if (declarations.some((one) => Node.isClassDeclaration(one) || Node.isClassExpression(one))) return true;
  return isFromLibrary(symbol) && declarations.some((one) => Node.isInterfaceDeclaration(one));
}

/** Whether the language or Node declares it, as opposed to the author or a package of types. */
function isFromLibrary(symbol: MorphSymbol): boolean {
  const library = /\/node_modules\/(typescript|@types\/node)\//;
  return symbol.getDeclarations().some((one) => library.test(one.getSourceFile().getFilePath()));
}

function declarationOf(symbol: MorphSymbol): Node | undefined {
  return symbol.getDeclarations().find((one) => !Node.isSourceFile(one));
}

function allowsUndefined(type: Type): boolean {
  return type.isUndefined() || (type.isUnion() && type.getUnionTypes().some((part) => part.isUndefined()));
}

function withoutUndefined(type: Type): Type {
  return allowsUndefined(type) && !type.isUndefined() ? nonUndefined(type) : type;
}

/** Like `getNonNullableType`, but null stays. */
function nonUndefined(type: Type): Type {
  const parts = type.getUnionTypes().filter((part) => !part.isUndefined());
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : type;
}

function isRest(flags: ts.ElementFlags | undefined): boolean {
  return flags !== undefined && (flags & ts.ElementFlags.Variable) !== 0;
}

export function typeText(type: Type): string {
  const text = type.getText(undefined, ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
