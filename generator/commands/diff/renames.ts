import type { Definition, ProtocolModel, TypeModel } from "../../shared/model/protocol.js";
import { mapDefinition } from "../../shared/model/definitions.js";
import { typeKey } from "./type-key.js";

/** Old name -> new name. */
export type Renames = ReadonlyMap<string, string>;

/**
 * Definitions that have another name now: one that is gone and one that is new say the same, or have the same members,
 * and no other pair does.
 */
export function findRenames(before: ProtocolModel, after: ProtocolModel): Renames {
  const renames = new Map<string, string>();
  for (const keyOf of [wholeKey, memberKey]) {
    // A rename may make two others alike.
    for (let size = -1; size < renames.size;) {
      size = renames.size;
      const taken = new Set(renames.values());
      const gone = missing(before, after).filter(({ name }) => !renames.has(name));
      const fresh = missing(after, before).filter(({ name }) => !taken.has(name));
      const was = grouped(gone, (definition) => keyOf(renamed(definition, renames)));
      const is = grouped(fresh, keyOf);
      for (const [key, [one, ...more]] of was) {
        const candidates = is.get(key) ?? [];
        // Among several, a name that goes on from the older one.
        const [other, ...others] =
          candidates.length > 1 ? candidates.filter(({ name }) => name.startsWith(one?.name ?? "")) : candidates;
        if (one && other && more.length + others.length === 0) renames.set(one.name, other.name);
      }
    }
  }
  return renames;
}

/** The model with definitions under their new names. */
export function withNewNames(model: ProtocolModel, renames: Renames): ProtocolModel {
  if (renames.size === 0) return model;
  const now = <T extends string | undefined>(name: T): T => (renames.get(name ?? "") as T | undefined) ?? name;
  const message = <T extends { readonly type: string; readonly params?: string }>(from: T): T => ({
    ...from,
    type: now(from.type),
    ...(from.params !== undefined && { params: now(from.params) }),
  });
  return {
    ...model,
    definitions: model.definitions.map((definition) => renamed(definition, renames)),
    requests: model.requests.map((request) => {
      const { result } = request;
      const answer = { ...result, type: now(result.type) };
      return {
        ...message(request),
        result:
          answer.kind === "single"
            ? answer
            : answer.kind === "tagged"
              ? answer
              : { ...answer, alternative: now(answer.alternative) },
      };
    }),
    notifications: model.notifications.map(message),
    inputRequests: model.inputRequests.map((request) => ({ ...message(request), result: now(request.result) })),
  };
}

function missing(model: ProtocolModel, other: ProtocolModel): readonly Definition[] {
  const known = new Set(other.definitions.map(({ name }) => name));
  return model.definitions.filter(({ name }) => !known.has(name));
}

function renamed(definition: Definition, renames: Renames): Definition {
  const now = (name: string): string => renames.get(name) ?? name;
  const mapped = mapDefinition(definition, (type: TypeModel) =>
    type.kind === "reference" ? { ...type, name: now(type.name) } : type,
  );
  if (mapped.kind === "alias") return { ...mapped, name: now(mapped.name) };
  const members = mapped.members.map((member) =>
    member.inheritedFrom === undefined ? member : { ...member, inheritedFrom: now(member.inheritedFrom) },
  );
  return { ...mapped, name: now(mapped.name), bases: mapped.bases.map(now), members };
}

function grouped(
  definitions: readonly Definition[],
  keyOf: (definition: Definition) => string | undefined,
): ReadonlyMap<string, readonly Definition[]> {
  const groups = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const key = keyOf(definition);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), definition]);
  }
  return groups;
}

/** Equal when two say the same; nothing for types that any other one may be equal to by chance. */
function wholeKey(definition: Definition): string | undefined {
  if (definition.kind === "struct")
    return definition.members.length < 2
      ? undefined
      : typeKey({ members: definition.members, index: definition.index });
  const { type } = definition;
  return type.kind === "union" || type.kind === "enum" ? typeKey(type) : undefined;
}

/** Equal when two objects have the same member names, regardless of their types. */
function memberKey(definition: Definition): string | undefined {
  if (definition.kind !== "struct" || definition.members.length < 3) return undefined;
  return JSON.stringify(definition.members.map(({ name }) => name).sort());
}
