import type { Definition, MemberModel, StructDefinition, TypeModel } from "../../shared/model/protocol.js";
import { basesOf, inSchema, states, type Comparison, type Emit } from "./comparison.js";
import type { SourcePath } from "./pairs.js";
import { typeKey } from "./type-key.js";
import { compareTypes, type Walk } from "./compare-types.js";

/** Pairs up definitions by name, and what is in them. */
export function compareDefinitions(comparison: Comparison, emit: Emit): void {
  const { old, now, formerNames, senders, isEnvelope } = comparison;
  for (const name of new Set([...now.keys(), ...old.keys()])) {
    const [before, after] = [old.get(name), now.get(name)];
    const formerName = formerNames.get(name);
    const link = (after ?? before)?.link;
    emit("definition", {
      at: name,
      senders: senders(name),
      isEnvelope: isEnvelope(name),
      ...(formerName !== undefined && { formerName }),
      ...(link !== undefined && { link }),
      ...states(before, after, placeOf(before, formerName ?? name), placeOf(after, name)),
    });
    if (before && after) compareBodies(before, after, comparison, emit);
  }
}

function placeOf(definition: Definition | undefined, name: string): SourcePath {
  return definition?.derivedFrom === undefined ? inSchema(name) : inSchema(definition.derivedFrom, "params");
}

function compareBodies(before: Definition, after: Definition, comparison: Comparison, emit: Emit): void {
  const walk: Walk = {
    comparison,
    emit,
    owner: after.name,
    before: placeIn(before, comparison),
    after: placeIn(after),
  };
  // Changes in the unions of envelopes are reported for the envelopes.
  if (comparison.isEnvelope(after.name) && before.kind === "alias") return;
  if (before.kind === "alias" && after.kind === "alias") compareTypes(before.type, after.type, [], walk);
  else if (before.kind === "struct" && after.kind === "struct") {
    compareMembers(before, after, walk);
    compareTypes(indexOf(before), indexOf(after), [], walk);
  } else compareTypes(typeOf(before), typeOf(after), [], walk);
}

/** Members that come from the same declaration on both sides are compared there. */
function compareMembers(before: StructDefinition, after: StructDefinition, walk: Walk): void {
  const { old, now } = walk.comparison;
  const [oldBases, newBases] = [basesOf(before, old), basesOf(after, now)];
  const heirs = heirsOf(after.name, walk.comparison);
  const own = (members: readonly MemberModel[]): readonly MemberModel[] =>
    members.filter(({ name }) => {
      if (heirs?.every((heir) => isUnchanged(heir, name, walk.comparison))) return false;
      const [was, is] = [before, after].map((type) => memberOf(type, name));
      const base = (is ?? was)?.inheritedFrom;
      if (base === undefined || !oldBases.has(base) || !newBases.has(base)) return true;
      return change(memberOf(old.get(base), name), memberOf(now.get(base), name)) !== change(was, is);
    });
  compareTypes(
    { kind: "struct", members: own(before.members) },
    { kind: "struct", members: own(after.members) },
    [],
    walk,
  );
}

/** The types that extend one which only lends its members to others; nothing for types that have values of their own. */
function heirsOf(name: string, { old, now, isCarried }: Comparison): readonly string[] | undefined {
  if (isCarried(name)) return undefined;
  const heirs = [old, now].flatMap((names) =>
    [...names.values()].filter((definition) => basesOf(definition, names).has(name)),
  );
  return heirs.length > 0 ? heirs.map((heir) => heir.name) : undefined;
}

function isUnchanged(owner: string, member: string, { old, now }: Comparison): boolean {
  const [was, is] = [old, now].map((names) => memberOf(names.get(owner), member));
  return change(was, was) === change(is, is);
}

function change(before: MemberModel | undefined, after: MemberModel | undefined): string {
  return JSON.stringify([
    before ? typeKey(before) : "",
    after ? typeKey(after) : "",
    before?.deprecated === undefined,
    after?.deprecated === undefined,
    before?.default,
    after?.default,
  ]);
}

function memberOf(definition: Definition | undefined, name: string): MemberModel | undefined {
  return definition?.kind === "struct" ? definition.members.find((member) => member.name === name) : undefined;
}

function indexOf({ index }: StructDefinition): TypeModel {
  return { kind: "struct", members: [], ...(index && { index }) };
}

function typeOf(definition: Definition): TypeModel {
  if (definition.kind === "alias") return definition.type;
  const { members, index } = definition;
  return { kind: "struct", members, ...(index && { index }) };
}

/** Where the members of a definition are declared. */
function placeIn(definition: Definition, comparison?: Comparison): Walk["before"] {
  return (path) => {
    const [first] = path;
    const member = first === undefined ? undefined : memberOf(definition, first);
    const from = member?.inheritedFrom ?? definition.name;
    const name = comparison?.formerNames.get(from) ?? from;
    const declaring = from === definition.name ? definition : undefined;
    return declaring?.derivedFrom === undefined
      ? inSchema(name, ...path)
      : inSchema(declaring.derivedFrom, "params", ...path);
  };
}
