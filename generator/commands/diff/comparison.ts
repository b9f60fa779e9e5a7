import type { Definition, MemberModel, ProtocolModel, Side } from "../../shared/model/protocol.js";
import { definitionsByName, type Definitions } from "../../shared/model/definitions.js";
import { capabilityTypes } from "../../pipeline/passes/overlay-facts.js";
import type { PairKind, PairLists, Pairs, SourcePath } from "./pairs.js";
import { findRenames, withNewNames, type Renames } from "./renames.js";
import { referencesIn, sendersOf, type Senders } from "./senders.js";

/** Two models, made comparable: the older one under the names of the newer one. */
export interface Comparison {
  readonly before: ProtocolModel;
  readonly after: ProtocolModel;
  readonly old: Definitions;
  readonly now: Definitions;
  /** New name -> old name. */
  readonly formerNames: Renames;
  readonly senders: (name: string) => readonly Side[];
  /** Types that only wrap messages for the wire. */
  readonly isEnvelope: (name: string) => boolean;
  /** `Name Name` of definitions in both revisions; changes inside them are reported there. */
  readonly sameNames: ReadonlySet<string>;
  /** A message, or what messages extend. */
  readonly isMessage: (name: string) => boolean;
  /** A member of a capabilities type: capabilities are compared by themselves. */
  readonly isCapability: (owner: string, path: readonly string[]) => boolean;
  /** A type that others refer to, or a message: there are values of it, not only of types that extend it. */
  readonly isCarried: (name: string) => boolean;
  /** A message, or what answers one. */
  readonly isRole: (name: string) => boolean;
}

export function makeComparison(older: ProtocolModel, after: ProtocolModel): Comparison {
  const renames = findRenames(older, after);
  const before = withNewNames(older, renames);
  const [old, now] = [definitionsByName(before.definitions), definitionsByName(after.definitions)];
  const [was, is] = [sendersOf(before), sendersOf(after)];
  const messages = new Set([before, after].flatMap(messageTypes));
  const envelopes = new Set([...envelopesOf(old), ...envelopesOf(now)].filter((name) => !messages.has(name)));
  const isBase = new Set(
    [...messages].flatMap((name) => [...basesOf(old.get(name), old), ...basesOf(now.get(name), now)]),
  );
  const results = new Set([before, after].flatMap(resultTypes));
  const roles = new Set([...messages, ...results, ...commonBases(before, old), ...commonBases(after, now)]);
  const carried = new Set([before, after].flatMap(({ definitions }) => definitions.flatMap(referencesIn)));
  return {
    before,
    after,
    old,
    now,
    formerNames: new Map([...renames].map(([from, to]) => [to, from])),
    senders: (name) => joined(was, is, name),
    isEnvelope: (name) => envelopes.has(name),
    sameNames: new Set([...old.keys()].filter((name) => now.has(name)).map((name) => `${name} ${name}`)),
    isCapability: (owner, path) => {
      const side =
        owner === capabilityTypes.client ? "client" : owner === capabilityTypes.server ? "server" : undefined;
      const listed = side ? [...before.capabilities[side], ...after.capabilities[side]] : [];
      return listed.some((capability) => capability.path === path.join("."));
    },
    isMessage: (name) => messages.has(name) || (isBase.has(name) && !envelopes.has(name)),
    isCarried: (name) => carried.has(name) || messages.has(name) || results.has(name),
    isRole: (name) => [name, aliased(name, now), aliased(name, old)].some((one) => roles.has(one)),
  };
}

/** The sides that send it in both revisions; if there are none, the sides that send it in either. */
function joined(was: Senders, is: Senders, name: string): readonly Side[] {
  const [old, now] = [was.get(name) ?? is.get(name) ?? [], is.get(name) ?? was.get(name) ?? []];
  const both = old.filter((side) => now.includes(side));
  return both.length > 0 ? both : [...new Set([...old, ...now])].sort();
}

function messageTypes({ requests, notifications, inputRequests }: ProtocolModel): readonly string[] {
  return [...requests, ...notifications, ...inputRequests].map(({ type }) => type);
}

function resultTypes({ requests, inputRequests, resultTag }: ProtocolModel): readonly string[] {
  return [
    ...requests.map(({ result }) => result.type),
    ...requests.flatMap(({ result }) => (result.kind === "presence" ? [result.alternative] : [])),
    ...inputRequests.map(({ result }) => result),
    ...(resultTag?.alternatives ?? []).map(({ type }) => type),
  ];
}

/** The types that all results of a revision extend; results without members are one of them. */
function commonBases({ requests }: ProtocolModel, definitions: Definitions): readonly string[] {
  const all = requests.flatMap(({ result }) => {
    const definition = definitions.get(result.type);
    return definition?.kind === "struct" ? [basesOf(definition, definitions)] : [];
  });
  return [...(all[0] ?? [])].filter((name) => all.every((bases) => bases.has(name)));
}

/** The name that an alias is another name for. */
function aliased(name: string, definitions: Definitions): string {
  const definition = definitions.get(name);
  return definition?.kind === "alias" && definition.type.kind === "reference" ? definition.type.name : name;
}

/** The unions of all that may stand on the wire, with their alternatives: everything in them carries `jsonrpc`. */
function envelopesOf(definitions: Definitions): readonly string[] {
  const isWire = (name: string, seen: readonly string[]): boolean => {
    const definition = definitions.get(name);
    if (!definition || seen.includes(name)) return false;
    if (definition.kind === "struct") return definition.members.some((member) => member.name === "jsonrpc");
    const names = alternativesOf(definition);
    return names.length > 0 && names.every((inner) => isWire(inner, [...seen, name]));
  };
  const isMessage = (name: string): boolean => {
    const definition = definitions.get(name);
    const method =
      definition?.kind === "struct" ? definition.members.find((member) => member.name === "method") : undefined;
    return method?.type.kind === "literal";
  };
  const wire = [...definitions.values()].filter(
    (definition) =>
      definition.kind === "alias" && isWire(definition.name, []) && !alternativesOf(definition).every(isMessage),
  );
  return wire.flatMap((definition) => [definition.name, ...alternativesOf(definition)]);
}

/** Names that a definition is a choice or a list of; none when it is anything else, too. */
function alternativesOf(definition: Definition): readonly string[] {
  if (definition.kind === "struct") return [];
  const { type } = definition;
  const parts = type.kind === "union" ? type.members : [type];
  const names = parts.map((part) => {
    const item = part.kind === "array" ? part.items : part;
    return item.kind === "reference" ? [item.name] : item.kind === "union" ? namesOf(item.members) : [];
  });
  return names.every((found) => found.length > 0) ? names.flat() : [];
}

function namesOf(types: readonly MemberModel["type"][]): readonly string[] {
  return types.every(({ kind }) => kind === "reference")
    ? types.flatMap((type) => (type.kind === "reference" ? [type.name] : []))
    : [];
}

/** What a definition extends, directly or not. */
export function basesOf(definition: Definition | undefined, definitions: Definitions): ReadonlySet<string> {
  const found = new Set<string>();
  const todo = [definition];
  while (todo.length > 0) {
    const next = todo.pop();
    if (next?.kind !== "struct") continue;
    for (const base of next.bases) {
      if (found.has(base)) continue;
      found.add(base);
      todo.push(definitions.get(base));
    }
  }
  return found;
}

export type Emit = <K extends PairKind>(kind: K, pair: Pairs[K]) => void;

/** Lists that pairs are added to. */
export function pairLists(): { readonly lists: PairLists; readonly emit: Emit } {
  const lists: { [K in PairKind]: Pairs[K][] } = {
    method: [],
    definition: [],
    member: [],
    type: [],
    index: [],
    error: [],
    constant: [],
    metaKey: [],
    limit: [],
    profile: [],
    authorization: [],
    resultTag: [],
    capability: [],
  };
  return { lists, emit: (kind, pair) => lists[kind].push(pair) };
}

export function inSchema(...path: readonly string[]): SourcePath {
  return { kind: "schema", path };
}

/** What both states have in common, with only those that are there. */
export function states<T>(
  before: T | undefined,
  after: T | undefined,
  beforeSource?: SourcePath,
  afterSource?: SourcePath,
): { before?: T; after?: T; beforeSource?: SourcePath; afterSource?: SourcePath } {
  return {
    ...(before !== undefined && { before, ...(beforeSource && { beforeSource }) }),
    ...(after !== undefined && { after, ...(afterSource && { afterSource }) }),
  };
}
