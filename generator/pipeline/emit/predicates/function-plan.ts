import type { Definition, ProtocolModel, StructDefinition } from "../../../shared/model/protocol.js";
import { visitDefinition } from "../../../shared/model/definitions.js";

/**
 * Which types have additional functions, or none. V8 remembers for each function which object shapes it has read; from
 * the fifth shape on, reading a member takes three times as long. So a type that occurs in several places gets a
 * function for each place, if that is worth the size.
 */
export interface FunctionPlan {
  /** Type -> its tag in tagged unions, which share a `fits` function for its other members. */
  readonly fits: ReadonlyMap<string, string>;
  /** The same for small types: each union has its own function for the other members. */
  readonly repeated: ReadonlyMap<string, string>;
  /** Types that get a separate function for each member of the type. */
  readonly apart: ReadonlySet<string>;
  /** Aliases of types whose check is as short as a function call. */
  readonly inlined: ReadonlySet<string>;
}

/** The number of members up to which a type is repeated for each union. */
const mostRepeated = 4;
/**
 * From how many optional members on a type has many shapes, and up to how many references its functions are worth their
 * size.
 */
const manyOptional = 4;
const mostApart = 3;

/** @param imported types of another module, which get no additional functions in this one */
export function planFunctions({ definitions, requests }: ProtocolModel, imported: ReadonlySet<string>): FunctionPlan {
  const references = countReferences(definitions);
  const count = ({ name }: Definition): number => references.get(name) ?? 0;
  const structs = definitions.filter(isFlat).filter(({ name }) => !imported.has(name));
  const unions = taggedUnions(definitions, references);
  const tagged = structs.flatMap((struct) => {
    const tags = unions.filter(({ alternatives }) => alternatives.has(struct.name)).map(({ member }) => member);
    const [tag] = tags;
    if (tag === undefined || tags.some((other) => other !== tag)) return [];
    return [{ name: struct.name, tag, repeated: tags.length > 1 && struct.members.length <= mostRepeated }];
  });
  const tags = (repeated: boolean): ReadonlyMap<string, string> =>
    new Map(tagged.filter((found) => found.repeated === repeated).map(({ name, tag }) => [name, tag]));
  const isTagged = ({ name }: Definition): boolean => unions.some(({ alternatives }) => alternatives.has(name));
  // Results are mostly checked on their own, without the response around them.
  const results = new Set(requests.map(({ result }) => result.type));
  const isApart = (struct: StructDefinition): boolean =>
    results.has(struct.name) || (isSparse(struct) && count(struct) > 1 && count(struct) <= mostApart);
  return {
    fits: tags(false),
    repeated: tags(true),
    apart: namesOf(structs.filter((struct) => !isTagged(struct) && isApart(struct))),
    inlined: namesOf(definitions.filter((definition) => isShort(definition, count(definition)))),
  };
}

function namesOf(definitions: readonly Definition[]): ReadonlySet<string> {
  return new Set(definitions.map(({ name }) => name));
}

function isSparse({ members }: StructDefinition): boolean {
  return members.filter(({ optional }) => optional).length >= manyOptional;
}

function isFlat(definition: Definition): definition is StructDefinition {
  return definition.kind === "struct" && !definition.recursive;
}

function isShort(definition: Definition, references: number): boolean {
  if (definition.kind !== "alias") return false;
  const { type, recursive } = definition;
  if (recursive) return type.kind === "map" || type.kind === "array";
  // With more references, a function is shorter.
  const alternatives = type.kind === "union" && references <= mostApart ? type.members : [type];
  return alternatives.length <= 2 && alternatives.every(({ kind }) => kind === "string" || kind === "integer");
}

function countReferences(definitions: readonly Definition[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const definition of definitions) {
    visitDefinition(definition, (type) => {
      if (type.kind === "reference") found.set(type.name, (found.get(type.name) ?? 0) + 1);
    });
  }
  return found;
}

interface TaggedUnion {
  readonly member: string;
  /** The names of the alternatives that have one. */
  readonly alternatives: ReadonlySet<string>;
}

/** Unions that are not referenced are checked once per message; additional functions would only add size. */
function taggedUnions(
  definitions: readonly Definition[],
  references: ReadonlyMap<string, number>,
): readonly TaggedUnion[] {
  const found: TaggedUnion[] = [];
  for (const definition of definitions) {
    visitDefinition(definition, (type) => {
      if (type.kind !== "union" || type.choice.kind !== "tag") return;
      if (definition.kind === "alias" && definition.type === type && !references.has(definition.name)) return;
      const names = type.members.flatMap((inner) => (inner.kind === "reference" ? [inner.name] : []));
      found.push({ member: type.choice.member, alternatives: new Set(names) });
    });
  }
  return found;
}
