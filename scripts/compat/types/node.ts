/** The shape of a value, as the schemas of the official SDK describe it. */
export type Node =
  | { readonly kind: "string" | "boolean" | "unknown" | "null" }
  | { readonly kind: "number"; readonly integer?: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "enum"; readonly values: readonly string[]; readonly open: boolean }
  | { readonly kind: "array"; readonly items: Node; readonly maxItems?: number }
  | { readonly kind: "record"; readonly values: Node }
  | { readonly kind: "union"; readonly members: readonly Node[]; readonly tag?: string }
  | { readonly kind: "reference"; readonly name: string }
  /** A schema of compat/src/types/zod-parts.ts, and the type of its output. Whether it also describes an absent member. */
  | { readonly kind: "part"; readonly name: string; readonly type: string; readonly isOptional?: boolean }
  /** A definition whose invalid values count as absent. */
  | { readonly kind: "lenient"; readonly name: string }
  /** A value that is this one if it is absent, as code. */
  | { readonly kind: "fallback"; readonly type: Node; readonly value: string }
  | ShapeUse
  | ObjectNode;

/** A shape with its arguments, and members that only one version has. */
export interface ShapeUse {
  readonly kind: "shape";
  readonly name: string;
  readonly mode: Mode;
  readonly arguments: readonly Node[];
  readonly added: readonly Member[];
}

/** What happens to unknown members: they are removed, kept or rejected. */
export type Mode = "strip" | "loose" | "strict";

export interface ObjectNode {
  readonly kind: "object";
  readonly mode: Mode;
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: Node;
  readonly text?: string;
}

export interface Definition {
  readonly name: string;
  readonly node: Node;
  readonly text?: string;
}

/** The versions of the official SDK whose schemas differ. */
export type Version = "core" | "sdk";

export const string: Node = { kind: "string" };
export const boolean: Node = { kind: "boolean" };
export const unknown: Node = { kind: "unknown" };
export const number: Node = { kind: "number" };
export const integer: Node = { kind: "number", integer: true };

export function ref(name: string): Node {
  return { kind: "reference", name };
}

export function part(name: string, type: string, isOptional = false): Node {
  return { kind: "part", name, type, ...(isOptional && { isOptional }) };
}

export function array(items: Node, maxItems?: number): Node {
  return { kind: "array", items, ...(maxItems !== undefined && { maxItems }) };
}

export function record(values: Node): Node {
  return { kind: "record", values };
}

export function union(...members: Node[]): Node {
  return { kind: "union", members };
}

/** Returns an object; members whose names end in `?` are optional. */
export function object(mode: Mode, members: Readonly<Record<string, Node>>): ObjectNode {
  return {
    kind: "object",
    mode,
    members: Object.entries(members).map(([key, type]) => ({
      name: key.replace(/\?$/, ""),
      optional: key.endsWith("?"),
      type,
    })),
  };
}

/** Prints the name of a member as a key of an object. */
export function keyOf({ name }: Member): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Calls `visit` with a node and all nodes in it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  if (node.kind === "array") walk(node.items, visit);
  else if (node.kind === "record") walk(node.values, visit);
  else if (node.kind === "union") for (const member of node.members) walk(member, visit);
  else if (node.kind === "fallback") walk(node.type, visit);
  else if (node.kind === "object") for (const { type } of node.members) walk(type, visit);
  else if (node.kind === "shape") {
    for (const argument of node.arguments) walk(argument, visit);
    for (const { type } of node.added) walk(type, visit);
  }
}

/** Returns the names of the definitions that a node refers to. */
export function references(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walk(node, (inner) => {
    if (inner.kind === "reference" || inner.kind === "lenient") names.add(inner.name);
  });
  return names;
}
