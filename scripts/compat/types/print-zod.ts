import type { Definition, Member, Node } from "./node.js";

/** Prints the schema of a definition as an exported constant. */
export function printSchema({ name, node, text }: Definition): string {
  const doc = text === undefined ? "" : `/** ${text} */\n`;
  return `${doc}export const ${name}Schema: ${typeOf(node)} = ${pure(codeOf(node))};\n`;
}

/** Lets bundlers drop schemas that a program does not use. */
function pure(code: string): string {
  return /^[\w.]+$/.test(code) ? code : `/* @__PURE__ */ ${code}`;
}

function codeOf(node: Node): string {
  switch (node.kind) {
    case "string":
    case "boolean":
    case "unknown":
    case "null":
      return `z.${node.kind}()`;
    case "number":
      return (
        "z.number()" +
        (node.integer ? ".int()" : "") +
        (node.minimum === undefined ? "" : `.min(${node.minimum})`) +
        (node.maximum === undefined ? "" : `.max(${node.maximum})`)
      );
    case "literal":
      return `z.literal(${JSON.stringify(node.value)})`;
    case "enum":
      return `z.enum(${JSON.stringify(node.values)})${node.open ? ".or(z.string())" : ""}`;
    case "array":
      return `z.array(${codeOf(node.items)})${node.maxItems === undefined ? "" : `.max(${node.maxItems})`}`;
    case "record":
      return `z.record(z.string(), ${codeOf(node.values)})`;
    case "union": {
      const members = `[${node.members.map(codeOf).join(", ")}]`;
      return node.tag === undefined
        ? `z.union(${members})`
        : `z.discriminatedUnion(${JSON.stringify(node.tag)}, ${members})`;
    }
    case "reference":
      return `${node.name}Schema`;
    case "part":
      return `parts.${node.name}`;
    case "lenient":
      return `${node.name}Schema.optional().catch(undefined)`;
    case "object": {
      const members = node.members.map((member) => `${keyOf(member)}: ${memberCode(member)}`);
      return `z.${{ strip: "object", loose: "looseObject", strict: "strictObject" }[node.mode]}({ ${members.join(", ")} })`;
    }
  }
}

/** Returns the type of the schema, by the names of other schemas: declarations stay short, and checks of types fast. */
function typeOf(node: Node): string {
  switch (node.kind) {
    case "string":
    case "boolean":
    case "unknown":
    case "null":
    case "number":
      return `z.Zod${node.kind[0]?.toUpperCase() ?? ""}${node.kind.slice(1)}`;
    case "literal":
      return `z.ZodLiteral<${JSON.stringify(node.value)}>`;
    case "enum": {
      const values = node.values.map((value) => `${JSON.stringify(value)}: ${JSON.stringify(value)}`);
      const closed = `z.ZodEnum<{ ${values.join("; ")} }>`;
      return node.open ? `z.ZodUnion<[${closed}, z.ZodString]>` : closed;
    }
    case "array":
      return `z.ZodArray<${typeOf(node.items)}>`;
    case "record":
      return `z.ZodRecord<z.ZodString, ${typeOf(node.values)}>`;
    case "union": {
      const members = `[${node.members.map(typeOf).join(", ")}]`;
      return node.tag === undefined
        ? `z.ZodUnion<${members}>`
        : `z.ZodDiscriminatedUnion<${members}, ${JSON.stringify(node.tag)}>`;
    }
    case "reference":
      return `typeof ${node.name}Schema`;
    case "part":
      return `typeof parts.${node.name}`;
    case "lenient":
      return `z.ZodCatch<z.ZodOptional<typeof ${node.name}Schema>>`;
    case "object": {
      const members = node.members.map((member) => `${keyOf(member)}: ${memberType(member)}`);
      return `z.ZodObject<{ ${members.join("; ")} }, z.core.$${node.mode}>`;
    }
  }
}

function keyOf({ name }: Member): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Whether the schema of the member itself says that the member can be absent. */
function saysOptional({ type }: Member): boolean {
  return type.kind === "lenient" || (type.kind === "part" && type.isOptional === true);
}

/** Schemas of many members, which exist once: building schemas takes most of the time in which a program loads them. */
const frequent: Readonly<Record<string, string>> = {
  "z.string()": "parts.text",
  "z.string().optional()": "parts.optionalText",
  "z.boolean().optional()": "parts.optionalBoolean",
  "z.number().optional()": "parts.optionalNumber",
  "z.array(z.string())": "parts.texts",
  "z.array(z.string()).optional()": "parts.optionalTexts",
  "z.record(z.string(), z.unknown()).optional()": "parts.optionalRecord",
};

function memberCode(member: Member): string {
  const code = ownCode(member);
  return frequent[code] ?? code;
}

function ownCode(member: Member): string {
  const code = codeOf(member.type);
  if (member.fallback !== undefined) return `${code}.default(${member.fallback})`;
  return member.optional && !saysOptional(member) ? `${code}.optional()` : code;
}

function memberType(member: Member): string {
  const type = typeOf(member.type);
  if (member.fallback !== undefined) return `z.ZodDefault<${type}>`;
  return member.optional && !saysOptional(member) ? `z.ZodOptional<${type}>` : type;
}
