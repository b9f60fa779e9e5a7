import { type Definition, keyOf, type Member, type Node } from "./node.js";
import type { Shape } from "./shapes.js";

/** Names of types, by the names of their definitions. */
export type TypeNames = (name: string) => string;

/** Prints the type of a definition's valid values. */
export function printType({ name, node, text }: Definition, names: TypeNames, isExported: boolean): string {
  const doc = text === undefined ? "" : `/** ${text} */\n`;
  return `${doc}${isExported ? "export " : ""}type ${names(name)} = ${typeOf(node, names)};\n`;
}

/** Prints the type of a shape, which is generic. */
export function printTypeShape({ name, node, parameters }: Shape, names: TypeNames): string {
  const generic = parameters.length === 0 ? "" : `<${parameters.map(names).join(", ")}>`;
  return `export type ${name}${generic} = ${typeOf(node, names)};\n`;
}

function typeOf(node: Node, names: TypeNames): string {
  switch (node.kind) {
    case "string":
    case "boolean":
    case "unknown":
    case "null":
    case "number":
      return node.kind;
    case "literal":
      return JSON.stringify(node.value);
    case "enum":
      return node.open ? "string" : node.values.map((value) => JSON.stringify(value)).join(" | ");
    case "array": {
      const items = typeOf(node.items, names);
      return /^[\w.]+$/.test(items) ? `${items}[]` : `(${items})[]`;
    }
    case "record":
      return `Record<string, ${typeOf(node.values, names)}>`;
    case "union":
      return node.members.map((member) => typeOf(member, names)).join(" | ");
    case "reference":
    case "lenient":
      return names(node.name);
    case "part":
      return node.type;
    case "fallback":
      return typeOf(node.type, names);
    case "object": {
      const members = node.members.map((member) => memberType(member, names));
      if (node.mode === "loose") members.unshift("[key: string]: unknown;");
      return members.length === 0 ? "Record<string, never>" : `{ ${members.join(" ")} }`;
    }
    case "shape": {
      const types = node.arguments.map((argument) => typeOf(argument, names));
      const shape = `shapes.${node.name}${types.length === 0 ? "" : `<${types.join(", ")}>`}`;
      if (node.added.length === 0) return shape;
      return `${shape} & { ${node.added.map((member) => memberType(member, names)).join(" ")} }`;
    }
  }
}

function memberType(member: Member, names: TypeNames): string {
  const { optional, type, text } = member;
  const key = keyOf(member);
  const doc = text === undefined ? "" : `/** ${text} */\n`;
  const printed = typeOf(type, names);
  return optional ? `${doc}${key}?: ${printed} | undefined;\n` : `${doc}${key}: ${printed};\n`;
}
