import { canonicalFacts } from "../../shared/fidelity/digest.js";
import { mapInnerTypes } from "../../shared/model/inner-expressions.js";
import type { Declaration, InterfaceDeclaration, Member, Tags, TypeExpression } from "../../shared/model/source.js";
import {
  memberPath,
  printBody,
  printHeritage,
  printMember,
  printTag,
  printType,
} from "../../shared/model/print-type-expression.js";

/** One state of a place: as text, and as a key that is equal exactly when the meaning is. */
export interface Statement {
  readonly text: string;
  readonly key: string;
}

/** The part of a place that differs; tags have a name. */
export type Aspect = "declaration" | "heritage" | "index" | "presence" | "optional" | "type" | `tag ${keyof Tags}`;

export interface Change {
  readonly path: string;
  readonly aspect: Aspect;
  readonly before: Statement;
  readonly after: Statement;
}

interface Body {
  readonly members: readonly Member[];
  readonly index?: TypeExpression;
}

const nothing: Statement = { text: "nothing", key: "" };

/**
 * The differences between two states of a declaration, each at the deepest possible place.
 * @param inheritedIndex the type of the index signature that a declaration inherits
 */
export function changesBetween(
  before: Declaration | undefined,
  after: Declaration | undefined,
  inheritedIndex: (declaration: InterfaceDeclaration) => TypeExpression | undefined = () => undefined,
): readonly Change[] {
  if (!before || !after) {
    const [old, now] = [before && sayDeclaration(before), after && sayDeclaration(after)];
    return [{ path: "", aspect: "declaration", before: old ?? nothing, after: now ?? nothing }];
  }
  const tags = tagChanges("", before.tags, after.tags);
  if (before.kind === "interface" && after.kind === "interface")
    return [...tags, ...interfaceChanges(before, after, inheritedIndex(before))];
  if (before.kind === "alias" && after.kind === "alias") return [...tags, ...typeChanges("", before.type, after.type)];
  const [old, now] = [sayDeclaration(before), sayDeclaration(after)];
  return old.key === now.key ? tags : [...tags, { path: "", aspect: "declaration", before: old, after: now }];
}

/** Inherited members that become own ones are part of the change of the `extends` list. */
function interfaceChanges(
  before: InterfaceDeclaration,
  after: InterfaceDeclaration,
  inherited: TypeExpression | undefined,
): readonly Change[] {
  const [old, now] = [printHeritage(before.heritage), printHeritage(after.heritage)];
  if (old === now) return bodyChanges("", before, after);
  const copies = after.members.filter(({ name }) => !before.members.some((own) => own.name === name));
  const index = before.index ?? inherited;
  const whole = { members: [...before.members, ...copies], ...(index && { index }) };
  const names = copies.length > 0 ? `own copies of ${copies.map(({ name }) => name).join(", ")}` : "nothing to copy";
  return [
    { path: "", aspect: "heritage", before: { text: old, key: old }, after: { text: names, key: now } },
    ...bodyChanges("", whole, after),
  ];
}

function bodyChanges(path: string, before: Body, after: Body): readonly Change[] {
  const names = [...new Set([...before.members, ...after.members].map(({ name }) => name))];
  const members = names.flatMap((name): readonly Change[] => {
    const [old, now] = [before, after].map(({ members }) => members.find((member) => member.name === name));
    const place = memberPath(path, name);
    if (!old || !now) {
      const [was, is] = [old && sayMember(old), now && sayMember(now)];
      return [{ path: place, aspect: "presence", before: was ?? nothing, after: is ?? nothing }];
    }
    const optional: readonly Change[] =
      old.optional === now.optional
        ? []
        : [{ path: place, aspect: "optional", before: sayOptional(old), after: sayOptional(now) }];
    return [...optional, ...tagChanges(place, old.tags, now.tags), ...typeChanges(place, old.type, now.type)];
  });
  const place = `${path}[key]`;
  if (before.index && after.index) return [...members, ...typeChanges(place, before.index, after.index)];
  if (!before.index && !after.index) return members;
  const [was, is] = [before.index && sayIndex(before.index), after.index && sayIndex(after.index)];
  return [...members, { path: place, aspect: "index", before: was ?? nothing, after: is ?? nothing }];
}

function typeChanges(path: string, before: TypeExpression, after: TypeExpression): readonly Change[] {
  const [old, now] = [sayType(before), sayType(after)];
  if (old.key === now.key) return [];
  const whole: readonly Change[] = [{ path, aspect: "type", before: old, after: now }];
  if (before.kind === "array" && after.kind === "array") {
    const inner = typeChanges(`${path}[]`, before.items, after.items);
    return sayTags(before.tags) === sayTags(after.tags) ? inner : whole;
  }
  if (before.kind === "object" && after.kind === "object") {
    const inner = bodyChanges(path, before, after);
    return inner.length > 0 ? inner : whole;
  }
  if (before.kind === "union" && after.kind === "union") {
    const [one, other] = [only(before.members, after.members), only(after.members, before.members)];
    if (one && one.kind === other?.kind && isNested(one)) return typeChanges(path, one, other);
  }
  return whole;
}

/** Types with nested places. */
function isNested({ kind }: TypeExpression): boolean {
  return kind === "array" || kind === "object";
}

/** The single alternative that the other union lacks, if there is exactly one. */
function only(members: readonly TypeExpression[], others: readonly TypeExpression[]): TypeExpression | undefined {
  const known = new Set(others.map((other) => sayType(other).key));
  const [first, ...more] = members.filter((member) => !known.has(sayType(member).key));
  return more.length === 0 ? first : undefined;
}

function tagChanges(path: string, before: Tags, after: Tags): readonly Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort() as (keyof Tags)[];
  return names.flatMap((tag): readonly Change[] => {
    const [old, now] = [sayTag(tag, before[tag]), sayTag(tag, after[tag])];
    return old.key === now.key ? [] : [{ path, aspect: `tag ${tag}`, before: old, after: now }];
  });
}

function sayTag(tag: keyof Tags, value: string | number | true | undefined): Statement {
  if (value === undefined) return nothing;
  const text = printTag(tag, value);
  return { text, key: text };
}

function sayTags(tags: Tags | undefined): string {
  return tagChanges("", tags ?? {}, {})
    .map(({ before }) => before.key)
    .join();
}

function sayOptional({ optional }: Member): Statement {
  const text = optional ? "optional" : "required";
  return { text, key: text };
}

function sayMember(member: Member): Statement {
  const text = printMember(member);
  return { text, key: `${sayOptional(member).key} ${sayType(member.type).key}` };
}

function sayIndex(type: TypeExpression): Statement {
  return { text: `[key: string]: ${printType(type)}`, key: sayType(type).key };
}

function sayType(type: TypeExpression): Statement {
  const plain: Declaration = { kind: "alias", name: "", span: nowhere, tags: {}, type: normal(type) };
  return { text: printType(type), key: JSON.stringify(canonicalFacts(plain)) };
}

function sayDeclaration(declaration: Declaration): Statement {
  // Tags are separate changes.
  const key = JSON.stringify(canonicalFacts({ ...declaration, tags: {} }));
  switch (declaration.kind) {
    case "constant":
      return { text: `const ${declaration.name} = ${JSON.stringify(declaration.value)}`, key };
    case "derived-constant":
    case "alias":
      return { text: `type ${declaration.name} = ${printType(declaration.type)}`, key };
    case "interface":
      return { text: `interface ${declaration.name} ${printBody(declaration)}`, key };
  }
}

const nowhere = { file: "", line: 1, column: 1 };

/** Normalizes types: `Record<string, T>` becomes an index signature, a union of one type that type. */
function normal(type: TypeExpression): TypeExpression {
  const inner = mapInnerTypes(type, normal);
  if (inner.kind === "record" && !inner.keys) return { kind: "object", members: [], index: inner.values };
  const [only, ...more] = inner.kind === "union" ? inner.members : [];
  return only && more.length === 0 ? only : inner;
}
