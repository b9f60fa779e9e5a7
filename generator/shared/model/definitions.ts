import { assertNever } from "../assert-never.js";
import type { Definition, EntriesModel, MemberModel, StructDefinition, TypeModel } from "./protocol.js";

export type Definitions = ReadonlyMap<string, Definition>;

export function definitionsByName(definitions: readonly Definition[]): Definitions {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

/** Follows references and aliases to the type that they refer to. */
export function resolveAliases(type: TypeModel, definitions: Definitions): TypeModel {
  const seen = new Set<string>();
  let current = type;
  while (current.kind === "reference" && !seen.has(current.name)) {
    seen.add(current.name);
    const target = definitions.get(current.name);
    if (!target) return current;
    current = target.kind === "alias" ? target.type : structOf(target);
  }
  return current;
}

export function structNamed(name: string, definitions: Definitions): StructDefinition | undefined {
  const definition = definitions.get(name);
  if (definition?.kind === "alias" && definition.type.kind === "reference")
    return structNamed(definition.type.name, definitions);
  return definition?.kind === "struct" ? definition : undefined;
}

export function structOf({ members, index }: StructDefinition): TypeModel & { kind: "struct" } {
  return { kind: "struct", members, ...(index && { index }) };
}

/** Rebuilds every type inside a definition, innermost first. */
export function mapDefinition(definition: Definition, change: (type: TypeModel) => TypeModel): Definition {
  if (definition.kind === "alias") return { ...definition, type: mapTypeModel(definition.type, change) };
  return { ...definition, ...mapMembers(definition, change) };
}

function mapMembers(
  body: { members: readonly MemberModel[]; index?: TypeModel },
  change: (type: TypeModel) => TypeModel,
): { members: readonly MemberModel[]; index?: TypeModel } {
  return {
    members: body.members.map((member) => ({ ...member, type: mapTypeModel(member.type, change) })),
    ...(body.index && { index: mapTypeModel(body.index, change) }),
  };
}

function mapTypeModel(type: TypeModel, change: (type: TypeModel) => TypeModel): TypeModel {
  switch (type.kind) {
    case "array":
      return change({ ...type, items: mapTypeModel(type.items, change) });
    case "map":
      return change({ ...type, values: mapTypeModel(type.values, change) });
    case "struct":
      return change({ ...type, ...mapMembers(type, change) });
    case "union":
    case "all":
      return change({ ...type, members: type.members.map((member) => mapTypeModel(member, change)) });
    case "not":
      return change({ ...type, type: mapTypeModel(type.type, change) });
    case "entries":
      return change(mapEntries(type, (inner) => mapTypeModel(inner, change)));
    default:
      return change(type);
  }
}

export function mapEntries(type: EntriesModel, change: (type: TypeModel) => TypeModel): EntriesModel {
  return {
    ...type,
    patterns: type.patterns.map((found) => ({ ...found, type: change(found.type) })),
    ...(type.rest && { rest: change(type.rest) }),
    ...(type.names && { names: change(type.names) }),
  };
}

/** The types of the members that an `entries` type restricts. */
export function entryTypes({ patterns, rest }: EntriesModel): readonly TypeModel[] {
  return [...patterns.map(({ type }) => type), ...(rest ? [rest] : [])];
}

/** Calls `visit` for a type and every type inside it. */
function visitTypes(type: TypeModel, visit: (type: TypeModel) => void): void {
  visit(type);
  switch (type.kind) {
    case "array":
      visitTypes(type.items, visit);
      return;
    case "map":
      visitTypes(type.values, visit);
      return;
    case "struct":
      for (const member of type.members) visitTypes(member.type, visit);
      if (type.index) visitTypes(type.index, visit);
      return;
    case "union":
    case "all":
      for (const member of type.members) visitTypes(member, visit);
      return;
    case "not":
      visitTypes(type.type, visit);
      return;
    case "entries":
      for (const inner of [...entryTypes(type), ...(type.names ? [type.names] : [])]) visitTypes(inner, visit);
      return;
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
    case "unknown":
    case "never":
    case "object":
    case "literal":
    case "enum":
    case "reference":
      return;
    default:
      assertNever(type);
  }
}

/** The names of all definitions to which a type leads. */
export function definitionsIn(type: TypeModel, definitions: Definitions): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (inner: TypeModel): void => {
    if (inner.kind !== "reference" || found.has(inner.name)) return;
    found.add(inner.name);
    const target = definitions.get(inner.name);
    if (target) visitDefinition(target, visit);
  };
  visitTypes(type, visit);
  return found;
}

export function visitDefinition(definition: Definition, visit: (type: TypeModel) => void): void {
  visitTypes(definition.kind === "alias" ? definition.type : structOf(definition), visit);
}
