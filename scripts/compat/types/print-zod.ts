import { type Definition, keyOf, type Member, type Node, type ObjectNode, walk } from "./node.js";
import { saysOptional, type Shape } from "./shapes.js";

/** Names of constants, by the code of their schemas. */
type Constants = ReadonlyMap<string, string>;

/** Schemas of many members, which exist once: building schemas takes most of the time in which a program loads them. */
const parts: Constants = new Map([
  ["z.string()", "parts.text"],
  ["z.string().optional()", "parts.optionalText"],
  ['z.literal("object")', "parts.objectType"],
  ["z.number().int()", "parts.integer"],
  ["z.boolean().optional()", "parts.optionalBoolean"],
  ["z.number().optional()", "parts.optionalNumber"],
  ["z.unknown()", "parts.unknown"],
  ["z.array(parts.text)", "parts.texts"],
  ["z.array(parts.text).optional()", "parts.optionalTexts"],
  ["z.record(parts.text, parts.unknown)", "parts.record"],
  ["z.record(parts.text, parts.unknown).optional()", "parts.optionalRecord"],
]);

/** Prints the schemas of definitions as exported constants. */
export function printSchemas(definitions: readonly Definition[]): string {
  const repeated = repeatedIn(definitions);
  const constants = new Map([...parts, ...repeated.map(({ code, name }) => [code, name] as const)]);
  const own = new Set(definitions.map(({ name }) => name));
  return [
    ...repeated.filter(({ reference }) => !own.has(reference)).map(printConstant),
    ...definitions.flatMap((definition) => [
      printSchema(definition, constants),
      ...repeated.filter(({ reference }) => reference === definition.name).map(printConstant),
    ]),
  ].join("\n");
}

/** Prints each shape as a function of the schemas that differ. */
export function printSchemaShapes(shapes: readonly Shape[]): string {
  const parameters = new Set(shapes.flatMap((shape) => shape.parameters));
  const repeated = repeatedIn(shapes).filter(({ reference }) => !parameters.has(reference));
  const constants = new Map([...parts, ...repeated.map(({ code, name }) => [code, name] as const)]);
  return [...repeated.map(printConstant), ...shapes.map((shape) => printShape(shape, constants))].join("\n");
}

function printSchema({ name, node, text }: Definition, constants: Constants): string {
  const doc = text === undefined ? "" : `/** ${text} */\n`;
  return `${doc}export const ${name}Schema: ${typeOf(node)} = ${pure(codeOf(node, constants))};\n`;
}

function printShape({ name, node, parameters }: Shape, constants: Constants): string {
  const generic = parameters.length === 0 ? "" : `<${parameters.map((one) => `${one} extends z.ZodType`).join(", ")}>`;
  const values = parameters.map((one) => `${one}Schema: ${one}`).join(", ");
  return `export function ${functionOf(name)}${generic}(${values}): ${typeOf(node)} { return ${codeOf(node, constants)}; }\n`;
}

/** The schema of several members of a file: an optional reference, or a list. */
interface Repeated {
  readonly reference: string;
  readonly code: string;
  readonly name: string;
}

function printConstant({ code, name }: Repeated): string {
  return `const ${name} = ${pure(code)};\n`;
}

function repeatedIn(definitions: readonly Definition[]): Repeated[] {
  const found = new Set<string>();
  const repeated = new Map<string, Repeated>();
  const visit = (member: Member): void => {
    const isList = member.type.kind === "array";
    const item = member.type.kind === "array" ? member.type.items : member.type;
    if (item.kind !== "reference" || (!isList && !member.optional)) return;
    const code = memberCode(member, parts);
    if (found.has(code)) {
      const plural = isList ? "List" : "";
      const name = member.optional ? `optional${item.name}${plural}` : functionOf(item.name) + plural;
      repeated.set(code, { reference: item.name, code, name });
    }
    found.add(code);
  };
  for (const { node } of definitions) {
    walk(node, (inner) => {
      if (inner.kind === "object") for (const member of inner.members) visit(member);
      if (inner.kind === "shape") for (const member of inner.added) visit(member);
    });
  }
  return [...repeated.values()];
}

/** Returns the name of the function that makes a shape: `JSONRPCResultResponse` becomes `jsonrpcResultResponse`. */
function functionOf(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

/** Lets bundlers drop schemas that a program does not use. */
function pure(code: string): string {
  return /^[\w.]+$/.test(code) ? code : `/* @__PURE__ */ ${code}`;
}

function codeOf(node: Node, constants: Constants): string {
  const inner = (one: Node): string => {
    const code = codeOf(one, constants);
    return constants.get(code) ?? code;
  };
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
      return `z.enum(${JSON.stringify(node.values)})${node.open ? ".or(parts.text)" : ""}`;
    case "array":
      return `z.array(${inner(node.items)})${node.maxItems === undefined ? "" : `.max(${node.maxItems})`}`;
    case "record":
      return `z.record(parts.text, ${inner(node.values)})`;
    case "union": {
      const members = `[${node.members.map(inner).join(", ")}]`;
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
    case "fallback":
      return `${inner(node.type)}.default(${node.value})`;
    case "object": {
      const message = messageOf(node);
      if (message) return `parts.message(${message.method}, ${memberCode(message.params, constants)})`;
      return `z.${{ strip: "object", loose: "looseObject", strict: "strictObject" }[node.mode]}({ ${membersCode(node.members, constants)} })`;
    }
    case "shape": {
      const shape = `shapes.${functionOf(node.name)}(${node.arguments.map(inner).join(", ")})`;
      return node.added.length === 0 ? shape : `${shape}.extend({ ${membersCode(node.added, constants)} })`;
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
    case "fallback":
      return `z.ZodDefault<${typeOf(node.type)}>`;
    case "object": {
      const message = messageOf(node);
      if (message) return `parts.Message<${message.method}, ${memberType(message.params)}>`;
      return `z.ZodObject<${membersType(node.members)}, z.core.$${node.mode}>`;
    }
    case "shape": {
      const types = node.arguments.length === 0 ? "" : `<${node.arguments.map(typeOf).join(", ")}>`;
      const shape = `ReturnType<typeof shapes.${functionOf(node.name)}${types}>`;
      if (node.added.length === 0) return shape;
      return `z.ZodObject<z.core.util.Extend<${shape}["shape"], ${membersType(node.added)}>, z.core.$${node.mode}>`;
    }
  }
}

/** Returns the method, as code, and the params of an object that is a message. */
function messageOf({ mode, members }: ObjectNode): { readonly method: string; readonly params: Member } | undefined {
  const [method, params] = members;
  if (mode !== "strip" || members.length !== 2 || method?.type.kind !== "literal") return undefined;
  return method.name === "method" && params?.name === "params"
    ? { method: JSON.stringify(method.type.value), params }
    : undefined;
}

function membersCode(members: readonly Member[], constants: Constants): string {
  return members.map((member) => `${keyOf(member)}: ${memberCode(member, constants)}`).join(", ");
}

function membersType(members: readonly Member[]): string {
  return `{ ${members.map((member) => `${keyOf(member)}: ${memberType(member)}`).join("; ")} }`;
}

function memberCode({ type, optional }: Member, constants: Constants): string {
  const own = codeOf(type, constants);
  if (optional && !saysOptional(type)) {
    const code = `${own}.optional()`;
    return constants.get(code) ?? `${constants.get(own) ?? own}.optional()`;
  }
  return constants.get(own) ?? own;
}

function memberType({ type, optional }: Member): string {
  return optional && !saysOptional(type) ? `z.ZodOptional<${typeOf(type)}>` : typeOf(type);
}
