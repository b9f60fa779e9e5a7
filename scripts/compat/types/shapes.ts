import { type Definition, type Member, type Node, type ObjectNode, ref, references } from "./node.js";

/** A definition that both versions have, except for the definitions that it refers to by the names of its parameters. */
export interface Shape extends Definition {
  readonly parameters: readonly string[];
}

/** The definitions of both versions, so that each text stands once. */
export interface Division {
  /** Definitions that are equal, with all that they refer to. */
  readonly shared: readonly Definition[];
  readonly shapes: readonly Shape[];
  /** The other definitions of each version; those that have a shape are uses of it. */
  readonly core: readonly Definition[];
  readonly sdk: readonly Definition[];
}

/** Divides the definitions of two versions. `hasOneName` says whether the type of a definition has one name in both. */
export function divide(
  core: readonly Definition[],
  sdk: readonly Definition[],
  hasOneName: (name: string) => boolean,
): Division {
  const others = new Map(sdk.map((definition) => [definition.name, definition]));
  const shared = new Set<string>();
  const shapes: Shape[] = [];
  const uses = new Map<string, { readonly core: Node; readonly sdk: Node }>();
  for (const { name, node, text } of core) {
    const other = others.get(name)?.node;
    if (other === undefined) continue;
    const isEqual = isSame(node, other) && [...references(node)].every((reference) => shared.has(reference));
    if (isEqual && hasOneName(name)) {
      shared.add(name);
      continue;
    }
    const shape = shapeOf(node, other, shared);
    if (!shape) continue;
    shapes.push({ name, node: shape.node, parameters: shape.parameters, ...(text !== undefined && { text }) });
    const { mode } = shape.node;
    uses.set(name, {
      core: { kind: "shape", name, mode, arguments: shape.core, added: addedTo(shape.node, node) },
      sdk: { kind: "shape", name, mode, arguments: shape.sdk, added: addedTo(shape.node, other) },
    });
  }
  const rest = (version: "core" | "sdk", definitions: readonly Definition[]): Definition[] =>
    definitions
      .filter(({ name }) => !shared.has(name))
      .map((definition) => ({ ...definition, node: uses.get(definition.name)?.[version] ?? definition.node }));
  return {
    shared: core.filter(({ name }) => shared.has(name)),
    shapes,
    core: rest("core", core),
    sdk: rest("sdk", sdk),
  };
}

function isSame(a: Node, b: Node): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Parameters {
  readonly parameters: readonly string[];
  /** What each version has in their place. */
  readonly core: readonly Node[];
  readonly sdk: readonly Node[];
}

/** Returns the object with the members that both have. A shape pays if it has at least two members more than parameters. */
function shapeOf(
  core: Node,
  sdk: Node,
  shared: ReadonlySet<string>,
): (Parameters & { readonly node: ObjectNode }) | undefined {
  if (core.kind !== "object" || sdk.kind !== "object" || core.mode !== sdk.mode) return undefined;
  const found = new Map<string, { readonly core: Node; readonly sdk: Node }>();
  const others = new Map(sdk.members.map((member) => [member.name, member]));
  const members: Member[] = [];
  for (const member of core.members) {
    const other = others.get(member.name);
    if (other?.optional !== member.optional) continue;
    const type = common(member.type, other.type, member.name, shared, found);
    if (type) members.push({ ...member, type });
  }
  const node: ObjectNode = { ...core, members };
  const used = references(node);
  const parameters = [...found].filter(([name]) => used.has(name));
  if (members.length <= parameters.length + 1) return undefined;
  return {
    node,
    parameters: parameters.map(([name]) => name),
    core: parameters.map(([, value]) => value.core),
    sdk: parameters.map(([, value]) => value.sdk),
  };
}

/** Returns what both nodes have in common, with references to parameters in place of the rest; undefined if parameters cannot express it. */
function common(
  core: Node,
  sdk: Node,
  member: string,
  shared: ReadonlySet<string>,
  found: Map<string, { readonly core: Node; readonly sdk: Node }>,
): Node | undefined {
  if (isSame(core, sdk) && [...references(core)].every((name) => shared.has(name))) return core;
  if (core.kind === "array" && sdk.kind === "array" && core.maxItems === sdk.maxItems) {
    const items = common(core.items, sdk.items, member, shared, found);
    return items && { ...core, items };
  }
  if (core.kind === "record" && sdk.kind === "record") {
    const values = common(core.values, sdk.values, member, shared, found);
    return values && { ...core, values };
  }
  if (core.kind === "object" && sdk.kind === "object" && hasSameMembers(core, sdk)) {
    const members: Member[] = [];
    for (const [index, inner] of core.members.entries()) {
      const other = sdk.members[index];
      const type = other && common(inner.type, other.type, inner.name, shared, found);
      if (!type) return undefined;
      members.push({ ...inner, type });
    }
    return { ...core, members };
  }
  if (saysOptional(core) || saysOptional(sdk)) return undefined;
  const name = core.kind === "reference" ? core.name : (member[0]?.toUpperCase() ?? "") + member.slice(1);
  const known = found.get(name);
  if (known && !(isSame(known.core, core) && isSame(known.sdk, sdk))) return undefined;
  found.set(name, { core, sdk });
  return ref(name);
}

function hasSameMembers(a: ObjectNode, b: ObjectNode): boolean {
  const facts = ({ mode, members }: ObjectNode): string =>
    JSON.stringify([mode, members.map(({ name, optional }) => [name, optional])]);
  return facts(a) === facts(b);
}

/** Whether a schema itself says that a member can be absent. */
export function saysOptional(type: Node): boolean {
  return type.kind === "lenient" || (type.kind === "part" && type.isOptional === true);
}

function addedTo(shape: ObjectNode, node: Node): readonly Member[] {
  const names = new Set(shape.members.map(({ name }) => name));
  return node.kind === "object" ? node.members.filter(({ name }) => !names.has(name)) : [];
}
