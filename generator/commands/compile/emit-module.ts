import {
  binding,
  code,
  docComment,
  entryKey,
  join,
  key,
  lineComment,
  literal,
  nothing,
  typeName,
  type Code,
} from "../../shared/code/code.js";
import { upperFirst } from "../../shared/names/case.js";
import { printValidators, type NamedSchema } from "../../shared/schema-code/print-validators.js";
import type { JsonSchema, ToolModel } from "./tool-model.js";

export interface ModuleView {
  /** The command that generates the file. */
  readonly header: Code;
  readonly module: Code;
  readonly imports: Code;
  readonly types: readonly Code[];
  readonly schemas: readonly Code[];
  readonly registered: readonly Code[];
  readonly registrations: readonly Code[];
  readonly validators: Code;
}

export interface ModuleFacts {
  /** The first line, by which a later run recognizes its own file. */
  readonly header: string;
  /** What the functions are imported from. */
  readonly module: string;
}

/** The types, schemas and validators of a tool file, and the function that registers its tools. */
export function emitModule(tools: readonly ToolModel[], { header, module }: ModuleFacts): ModuleView {
  const parts = tools.flatMap(partsOf);
  const named: readonly NamedSchema[] = parts.map(({ type, schema }) => ({ name: type, schema }));
  const taken = ["tools", "registerTools", "server", "Checked", "McpServer", "RegisteredTool", "checked"];
  const { text } = printValidators(named, { taken: [...taken, ...parts.map(schemaName)] });
  return {
    header: lineComment(header),
    module: literal(module),
    imports: code`import type { McpServer, RegisteredTool } from "@mcpwright/runtime/server/core";`,
    types: parts.map(({ type, of, doc }) => code`${docComment({ text: doc })}export type ${typeName(type)} = ${of};`),
    schemas: parts.map((part) => {
      const { type, schema } = part;
      const validate = code`(value: unknown): Checked<${typeName(type)}> => ${binding(`is${type}`)}(value) ? { value } : { issues: ${binding(`check${type}`)}(value) }`;
      return code`const ${binding(schemaName(part))} = {\nvalidate: ${validate},\njsonSchema: ${json(schema)},\n};`;
    }),
    registered: tools.map((tool) => code`readonly ${key(tool.function)}: RegisteredTool;`),
    registrations: tools.map(registration),
    validators: text,
  };
}

interface Part {
  readonly type: string;
  /** The type, in terms of the function's. */
  readonly of: Code;
  readonly schema: JsonSchema;
  readonly doc: string;
}

function partsOf(tool: ToolModel): readonly Part[] {
  const base = upperFirst(tool.function.replace(/^[^A-Za-z]+/, "") || "Tool");
  const called = code`typeof tools.${binding(tool.function)}`;
  const about = `of the tool \`${tool.name}\`.`;
  return [
    ...(tool.input
      ? [
          {
            type: `${base}Input`,
            of: code`Parameters<${called}>[0]`,
            schema: tool.input,
            doc: `The arguments ${about}`,
          },
        ]
      : []),
    ...(tool.result.kind === "structured"
      ? [
          {
            type: `${base}Output`,
            of: code`Awaited<ReturnType<${called}>>`,
            schema: tool.result.schema,
            doc: `The result ${about}`,
          },
        ]
      : []),
  ];
}

function schemaName({ type }: Part): string {
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}Schema`;
}

function registration(tool: ToolModel): Code {
  const parts = partsOf(tool);
  const schemas = parts.map((part) => {
    const role = part.type.endsWith("Input") ? code`inputSchema` : code`outputSchema`;
    return code`${role}: ${binding(schemaName(part))},\n`;
  });
  const annotations =
    Object.keys(tool.annotations).length === 0 ? nothing : code`annotations: ${json(tool.annotations)},\n`;
  const title = tool.title === undefined ? nothing : code`title: ${literal(tool.title)},\n`;
  const description = tool.description === undefined ? nothing : code`description: ${literal(tool.description)},\n`;
  const config = code`{\n${title}${description}${join(schemas, "")}${annotations}}`;
  const own = [...(tool.input ? [code`args`] : []), ...(tool.context ? [code`context`] : [])];
  const call = code`tools.${binding(tool.function)}(${join(own, ", ")})`;
  return code`${key(tool.function)}: server.registerTool(${literal(tool.name)}, ${config}, ${handler(tool, own, call)}),`;
}

function handler({ result }: ToolModel, parameters: readonly Code[], call: Code): Code {
  const list = code`(${join(parameters, ", ")})`;
  switch (result.kind) {
    case "result":
      return code`${list} => ${call}`;
    case "text":
      return code`async ${list} => ({ content: [{ type: "text", text: await ${call} }] })`;
    case "structured":
      return code`async ${list} => ({ structuredContent: await ${call} })`;
  }
}

/** JSON as a literal that means the same as the text, for any member names. */
function json(value: unknown): Code {
  if (Array.isArray(value)) return code`[${join(value.map(json), ", ")}]`;
  if (typeof value !== "object" || value === null) return literal(value as string | number | boolean | null);
  const entries = Object.entries(value).map(([name, inner]) => {
    return code`${name === "__proto__" ? entryKey(name) : key(name)}: ${json(inner)}`;
  });
  return code`{ ${join(entries, ", ")} }`;
}
