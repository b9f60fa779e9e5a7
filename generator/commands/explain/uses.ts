import { methodsOf } from "../diff/compare-methods.js";
import { printPath } from "../diff/compare-types.js";
import { printCondition } from "../diff/print-condition.js";
import { namesIn } from "../diff/senders.js";
import type { Definition, MemberModel, ProtocolModel, TypeModel } from "../../shared/model/protocol.js";
import { definitionsByName, entryTypes } from "../../shared/model/definitions.js";
import type { MessageUse } from "./explanation.js";

/** The messages that are or carry something: by method, or by a type that is in them. */
export function messagesWith(name: string, kind: "type" | "method", model: ProtocolModel): readonly MessageUse[] {
  const reach = reachFrom(model);
  const contains = (root: string | undefined): boolean =>
    root !== undefined && (root === name || reach(root).has(name));
  return [...methodsOf(model).values()].flatMap((state): readonly MessageUse[] => {
    const { method, sender, type, params, result, alternatives, capability, conditions } = state;
    const isWhole = kind === "method" ? method === name : type === name;
    const inner: readonly MessageUse["part"][] = [
      ...(contains(params) ? ["params" as const] : []),
      ...([result, ...alternatives].some(contains) ? ["result" as const] : []),
    ];
    const parts: readonly MessageUse["part"][] = isWhole ? ["message"] : kind === "method" ? [] : inner;
    return parts.map((part) => ({
      method,
      kind: state.kind,
      sender,
      part,
      type,
      ...(params !== undefined && { params }),
      ...(result !== undefined && { result }),
      alternatives,
      capability,
      conditions: conditions.map(printCondition),
    }));
  });
}

/** Everything that a definition leads to. */
function reachFrom(model: ProtocolModel): (name: string) => ReadonlySet<string> {
  const definitions = definitionsByName(model.definitions);
  const known = new Map<string, ReadonlySet<string>>();
  return (root) => {
    const found = known.get(root) ?? new Set<string>();
    if (known.has(root)) return found;
    const seen = new Set<string>();
    const todo = [root];
    while (todo.length > 0) {
      const definition = definitions.get(todo.pop() ?? "");
      for (const inner of definition ? namesIn(definition) : []) {
        if (seen.has(inner)) continue;
        seen.add(inner);
        todo.push(inner);
      }
    }
    known.set(root, seen);
    return seen;
  };
}

/** The places in other definitions that name a type, where they are declared. */
export function referencesTo(name: string, model: ProtocolModel): readonly string[] {
  return model.definitions.flatMap((definition) =>
    definition.name === name ? [] : placesIn(definition, name).map((path) => printPath([definition.name, ...path])),
  );
}

function placesIn(definition: Definition, name: string): readonly (readonly string[])[] {
  if (definition.kind === "alias") return placesOf(definition.type, name, []);
  const base = definition.bases.includes(name) ? [[]] : [];
  const own = definition.members.filter(({ inheritedFrom }) => inheritedFrom === undefined);
  return [...base, ...placesOfMembers(own, definition.index, name, [])];
}

function placesOfMembers(
  members: readonly MemberModel[],
  index: TypeModel | undefined,
  name: string,
  path: readonly string[],
): readonly (readonly string[])[] {
  return [
    ...members.flatMap((member) => placesOf(member.type, name, [...path, member.name])),
    ...(index ? placesOf(index, name, [...path, "[key]"]) : []),
  ];
}

function placesOf(type: TypeModel, name: string, path: readonly string[]): readonly (readonly string[])[] {
  switch (type.kind) {
    case "reference":
      return type.name === name ? [path] : [];
    case "array":
      return placesOf(type.items, name, [...path, "[]"]);
    case "map":
      return placesOf(type.values, name, [...path, "[key]"]);
    case "struct":
      return placesOfMembers(type.members, type.index, name, path);
    case "not":
      return placesOf(type.type, name, path);
    case "entries":
      return entryTypes(type).flatMap((inner) => placesOf(inner, name, [...path, "[key]"]));
    case "union":
    case "all": {
      const all = type.members.flatMap((member) => placesOf(member, name, path));
      return all.filter((found, at) => all.findIndex((other) => other.join() === found.join()) === at);
    }
    default:
      return [];
  }
}
