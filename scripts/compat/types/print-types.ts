import type { Definition, Member, Node } from "./node.js";

/** Names of types, by the names of their definitions. */
export type TypeNames = (name: string) => string;

/** Prints the type of a definition's valid values. */
export function printType({ node, text }: Definition, name: string, names: TypeNames): string {
  const doc = text === undefined ? "" : `/** ${text} */\n`;
  return `${doc}export type ${name} = ${typeOf(node, names)};\n`;
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
    case "object": {
      const members = node.members.map((member) => memberType(member, names));
      if (node.mode === "loose") members.unshift("[key: string]: unknown;");
      return members.length === 0 ? "Record<string, never>" : `{ ${members.join(" ")} }`;
    }
  }
}

function memberType({ name, optional, type, text }: Member, names: TypeNames): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const doc = text === undefined ? "" : `/** ${text} */\n`;
  const printed = typeOf(type, names);
  return optional ? `${doc}${key}?: ${printed} | undefined;\n` : `${doc}${key}: ${printed};\n`;
}
