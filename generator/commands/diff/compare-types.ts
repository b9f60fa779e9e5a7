import { isAssignable } from "../../pipeline/conversions/is-assignable.js";
import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { resolveAliases, type Definitions } from "../../shared/model/definitions.js";
import { memberPath } from "../../shared/model/print-type-expression.js";
import { states, type Comparison, type Emit } from "./comparison.js";
import type { Alternative, SourcePath, TypeRelation } from "./pairs.js";
import { printType } from "./print-type.js";
import { typeKey } from "./type-key.js";

/** What goes along on the way through two definitions. */
export interface Walk {
  readonly comparison: Comparison;
  readonly emit: Emit;
  readonly owner: string;
  /** Where a place in the definition is declared. */
  readonly before: (path: readonly string[]) => SourcePath;
  readonly after: (path: readonly string[]) => SourcePath;
}

/** Objects that took the place of others may contain themselves. */
const maxDepth = 6;

type Union = TypeModel & { readonly kind: "union" };

/** Pairs up what differs between two types, each place as deep as possible. */
export function compareTypes(before: TypeModel, after: TypeModel, path: readonly string[], walk: Walk): void {
  if (before.kind === "struct" && after.kind === "struct") {
    compareObjects(before, after, path, walk);
    return;
  }
  if (typeKey(before) === typeKey(after)) return;
  if (before.kind === "array" && after.kind === "array" && sameBounds(before, after)) {
    compareTypes(before.items, after.items, [...path, "[]"], walk);
    return;
  }
  if (before.kind === "map" && after.kind === "map") {
    compareTypes(before.values, after.values, [...path, "[key]"], walk);
    return;
  }
  const [one, other] = [only(before, after), only(after, before)];
  if (one && one.kind === other?.kind && isNested(one)) {
    compareTypes(one, other, path, walk);
    return;
  }
  const relation = relate(before, after, path.length === 0, walk.comparison);
  const [from, to] = [resolveAliases(before, walk.comparison.old), resolveAliases(after, walk.comparison.now)];
  const differs = relation.kind === "values" && typeKey(from) !== typeKey(to);
  if (differs && from.kind === "struct" && to.kind === "struct" && path.length < maxDepth) {
    compareObjects(from, to, path, walk);
    return;
  }
  walk.emit("type", { ...common(path, walk), before, after, relation, ...sources(path, walk) });
}

type Struct = TypeModel & { readonly kind: "struct" };

function compareObjects(before: Struct, after: Struct, path: readonly string[], walk: Walk): void {
  const [gone, fresh] = [missing(before, after), missing(after, before)];
  for (const name of new Set([...after.members, ...before.members].map((member) => member.name))) {
    const [old, now] = [before, after].map(({ members }) => members.find((member) => member.name === name));
    const place = [...path, name];
    if ((!old || !now) && walk.comparison.isCapability(walk.owner, place)) continue;
    const successors = gone.some((member) => member.name === name)
      ? fresh.filter(({ type }) => old && typeKey(type) === typeKey(old.type)).map((member) => member.name)
      : [];
    walk.emit("member", {
      ...common(place, walk),
      owner: walk.owner,
      isEnvelope: isEnvelopeMember(old ?? now, path, walk),
      isUnlisted: !before.index && after.index !== undefined && !now,
      successors,
      ...states(old, now, walk.before(place), walk.after(place)),
    });
    if (old && now) compareTypes(old.type, now.type, place, walk);
  }
  if (before.index && after.index) compareTypes(before.index, after.index, [...path, "[key]"], walk);
  else if (before.index ?? after.index)
    walk.emit("index", {
      ...common([...path, "[key]"], walk),
      owner: walk.owner,
      ...states(before.index, after.index, walk.before(path), walk.after(path)),
    });
}

/** Messages may declare what their envelope has anyway. */
function isEnvelopeMember(member: MemberModel | undefined, path: readonly string[], walk: Walk): boolean {
  const { isMessage, isEnvelope, old, now } = walk.comparison;
  if (!member || path.length > 0 || !isMessage(walk.owner)) return false;
  return [...old.values(), ...now.values()].some(
    (definition) =>
      definition.kind === "struct" &&
      isEnvelope(definition.name) &&
      !isMessage(definition.name) &&
      definition.members.some(({ name }) => name === member.name),
  );
}

function missing({ members }: Struct, other: Struct): readonly MemberModel[] {
  return members.filter(({ name }) => !other.members.some((member) => member.name === name));
}

function common(path: readonly string[], { owner, comparison }: Walk) {
  return { at: printPath([owner, ...path]), senders: comparison.senders(owner) };
}

export function printPath([owner = "", ...path]: readonly string[]): string {
  return path.reduce((place, name) => (name.startsWith("[") ? place + name : memberPath(place, name)), owner);
}

function sources(path: readonly string[], walk: Walk): { beforeSource: SourcePath; afterSource: SourcePath } {
  const plain = path.filter((part) => !part.startsWith("["));
  return { beforeSource: walk.before(plain), afterSource: walk.after(plain) };
}

function sameBounds(one: TypeModel & { kind: "array" }, other: TypeModel & { kind: "array" }): boolean {
  return one.minItems === other.minItems && one.maxItems === other.maxItems;
}

/** Types that have places inside. */
function isNested({ kind }: TypeModel): boolean {
  return kind === "array" || kind === "struct" || kind === "map";
}

function alternatives(type: TypeModel): readonly TypeModel[] {
  return type.kind === "union" ? type.members : [type];
}

/** The one alternative that the other type lacks, if it is one among others. */
function only(type: TypeModel, other: TypeModel): TypeModel | undefined {
  if (type.kind !== "union" || other.kind !== "union") return undefined;
  const known = new Set(other.members.map((type) => typeKey(type)));
  const [first, ...more] = type.members.filter((member) => !known.has(typeKey(member)));
  return more.length === 0 ? first : undefined;
}

function relate(before: TypeModel, after: TypeModel, isWhole: boolean, comparison: Comparison): TypeRelation {
  const { old, now, isRole, sameNames } = comparison;
  const listed = [...alternatives(before), ...alternatives(after)];
  if (isWhole && listed.every((type) => type.kind === "reference" && isRole(type.name))) {
    const { added, removed } = exchanged(alternatives(before), alternatives(after));
    return { kind: "roles", added: added.map(({ type }) => type), removed: removed.map(({ type }) => type) };
  }
  const [from, to] = [resolveAliases(before, old), resolveAliases(after, now)];
  const [was, is] = [valuesOf(from), valuesOf(to)];
  if (was && is) {
    const added = is.values.filter((value) => !was.values.includes(value));
    const removed = was.values.filter((value) => !is.values.includes(value));
    const openness = was.open === is.open ? "same" : is.open ? "opened" : "closed";
    if (added.length + removed.length > 0 || openness !== "same") return { kind: "enum", added, removed, openness };
  }
  const [a, b] = writtenOut(alternatives(unionOf(before, from)), alternatives(unionOf(after, to)), comparison);
  const keys = new Set(b.map((type) => typeKey(type)));
  if ((a.length > 1 || b.length > 1) && a.some((type) => keys.has(typeKey(type)))) {
    const named = exchanged(a, b);
    const isRestated = named.added.length > 0 && shapes(a, old) === shapes(b, now);
    if (!isRestated) return { kind: "union", ...named };
  }
  if (from.kind === "string" && to.kind === "string") return { kind: "format" };
  return {
    kind: "values",
    widened: isAssignable(before, after, { source: old, target: now, direction: "up" }, sameNames),
    narrowed: isAssignable(after, before, { source: now, target: old, direction: "up" }, sameNames),
  };
}

/** What only one of two lists of alternatives has. */
function exchanged(before: readonly TypeModel[], after: readonly TypeModel[]) {
  const extra = (list: readonly TypeModel[], others: readonly TypeModel[]): readonly Alternative[] => {
    const known = new Set(others.map((type) => typeKey(type)));
    const own = list.filter((type) => !known.has(typeKey(type)));
    return own.map((type) => ({
      type: printType(type),
      key: type.kind === "reference" ? { name: type.name } : { step: type.kind === "array" ? "[]" : "" },
    }));
  };
  return { added: extra(after, before), removed: extra(before, after) };
}

/** Two lists of alternatives, in which names of non-object types are expanded unless both lists have them. */
function writtenOut(before: readonly TypeModel[], after: readonly TypeModel[], { old, now }: Comparison) {
  const spread = (
    list: readonly TypeModel[],
    others: readonly TypeModel[],
    names: Definitions,
  ): readonly TypeModel[] => {
    const known = new Set(others.map((type) => typeKey(type)));
    const found: TypeModel[] = [];
    const seen = new Set<TypeModel>();
    const add = (type: TypeModel): void => {
      const target = known.has(typeKey(type)) ? type : resolveAliases(type, names);
      if (target.kind !== "union") found.push(target.kind === "struct" ? type : target);
      else if (!seen.has(target)) {
        seen.add(target);
        target.members.forEach(add);
      }
    };
    list.forEach(add);
    return found;
  };
  return [spread(before, after, old), spread(after, before, now)] as const;
}

function shapes(types: readonly TypeModel[], names: Definitions): string {
  return typeKey({ members: types.map((type) => resolveAliases(type, names)) });
}

/** Expands a reference to a union only if the other type is not a reference. */
function unionOf(type: TypeModel, target: TypeModel): TypeModel {
  return target.kind === "union" ? (target satisfies Union) : type;
}

function valuesOf(type: TypeModel): { readonly values: readonly string[]; readonly open: boolean } | undefined {
  if (type.kind === "enum") return type;
  return type.kind === "literal" && typeof type.value === "string" ? { values: [type.value], open: false } : undefined;
}
