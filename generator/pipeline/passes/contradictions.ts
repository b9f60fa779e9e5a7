import type { Definition, StructDefinition, TypeModel } from "../../shared/model/protocol.js";
import {
  definitionsByName,
  resolveAliases,
  visitDefinition,
  type Definitions,
} from "../../shared/model/definitions.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";
import { possibleJsonTypes, literalValues } from "./possible-values.js";

/** CONTRADICTIONS: rejects members that no value can satisfy; the TypeScript compiler rejects them too. */
export function rejectContradictions(
  definitions: readonly Definition[],
  scope: Scope,
  collector: DiagnosticCollector,
): void {
  const names = definitionsByName(definitions);
  for (const definition of definitions) {
    visitDefinition(definition, (type) => {
      for (const { name: member, optional, type: held } of type.kind === "struct" ? type.members : [])
        if (!optional && resolveAliases(held, names).kind === "never")
          collector.error("member-never", { owner: definition.name, member }, spanOf(definition.name, member, scope));
    });
    if (definition.kind !== "struct") continue;
    const { name: owner, members, index } = definition;
    const refuse = (member: string, first: string, second: string): void =>
      collector.error("member-conflict", { owner, member, first, second }, spanOf(owner, member, scope));
    for (const { name, type, inheritedFrom } of members) {
      if (index && contradict(type, index, names)) refuse(name, inheritedFrom ?? owner, "its index signature");
      if (inheritedFrom !== undefined) continue;
      for (const base of basesWith(name, definition, names, scope)) {
        const other = base.members.find((found) => found.name === name);
        if (other && contradict(type, other.type, names)) refuse(name, owner, base.name);
      }
    }
  }
}

/** Whether no value can be of both types, judging by JSON types and literals. */
function contradict(one: TypeModel, other: TypeModel, names: Definitions): boolean {
  const isApart = (a: readonly unknown[], b: readonly unknown[]): boolean =>
    a.length > 0 && b.length > 0 && !a.some((value) => b.includes(value));
  return (
    isApart(possibleJsonTypes(one, names) ?? [], possibleJsonTypes(other, names) ?? []) ||
    isApart(literalValues(one, names), literalValues(other, names))
  );
}

/** The bases from which an interface inherits the member. */
function basesWith(
  member: string,
  { name }: StructDefinition,
  names: Definitions,
  scope: Scope,
): readonly StructDefinition[] {
  const declaration = scope.get(name);
  const heritage = declaration?.kind === "interface" ? declaration.heritage : [];
  return heritage.flatMap((base) => {
    const definition = base.omit.includes(member) ? undefined : names.get(base.name);
    return definition?.kind === "struct" ? [definition] : [];
  });
}

function spanOf(owner: string, member: string, scope: Scope) {
  const declaration = scope.get(owner);
  const own = declaration?.kind === "interface" ? declaration.members.find(({ name }) => name === member) : undefined;
  return (own ?? declaration)?.span;
}
