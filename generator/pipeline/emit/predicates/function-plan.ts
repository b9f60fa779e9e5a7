import type { Definition, ProtocolModel, StructDefinition } from "../../../shared/model/protocol.js";
import { visitDefinition } from "../../../shared/model/definitions.js";

/**
 * Which types have more functions than their predicate, or none. V8 remembers for each function which shapes of
 * objects it has read; from the fifth on, reading a member takes three times as long. So what stands in several places
 * has a function for each, as far as that is worth its size.
 */
export interface FunctionPlan {
  /** Type -> the member that tells it apart in tagged unions, which share a `fits` function for the rest of it. */
  readonly fits: ReadonlyMap<string, string>;
  /** The same for small types: each union has a function of its own for the rest. */
  readonly repeated: ReadonlyMap<string, string>;
  /** Types for which each member that is of the type has a function of its own. */
  readonly apart: ReadonlySet<string>;
  /** Aliases for what is as short as the call of a function. */
  readonly inlined: ReadonlySet<string>;
}

/** Members of a type that is small enough to be repeated for each union. */
const mostRepeated = 4;
/** Optional members that make for many shapes, and references to such a type that are worth the size of a function. */
const manyOptional = 4;
const mostApart = 3;

export function planFunctions({ definitions, requests }: ProtocolModel): FunctionPlan {
  const references = countReferences(definitions);
  const count = ({ name }: Definition): number => references.get(name) ?? 0;
  const structs = definitions.filter(isFlat);
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
  // A result is mostly asked for by itself; the response around it is not.
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
  // What is asked for in more places is shorter as a function.
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
  /** The names of those that have one. */
  readonly alternatives: ReadonlySet<string>;
}

/** Unions that nothing refers to are asked once per message; there further functions would only cost size. */
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
