import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { binding, code, docComment, join, literal, nothing, typeName, type Code } from "../../shared/code/code.js";
import { isObject } from "../../shared/is-object.js";
import { type NamedSchema, printValidators } from "../../shared/schema-code/print-validators.js";
import type { ListedTool } from "../../shared/sessions/server-lists.js";
import { camelCase, functionName, type ModuleNames, pascalCase } from "./module-names.js";
import { withLegalPatterns } from "../../shared/schema-code/legal-patterns.js";
import { printTypes } from "./print-types.js";
import { whyUnusable } from "../../shared/schema-code/unusable-schema.js";

/** A part of the client file. */
export interface PrintedPart {
  readonly text: Code;
  /** The schemas to validate in it. */
  readonly schemas: readonly NamedSchema[];
  readonly findings: readonly Diagnostic[];
}

/** Prints a tool: the types of its input and output, and a function that calls it. */
export async function printTool(tool: ListedTool, names: ModuleNames): Promise<PrintedPart> {
  const { name, inputSchema, outputSchema } = tool;
  const { call, input, output } = names.take(camelCase(name, "tool"), namesOf);
  const takesInput = hasArguments(inputSchema);
  const inputType = takesInput ? await printSchema(tool, "input", input, inputSchema, names) : undefined;
  const outputType = outputSchema && (await printSchema(tool, "output", output, outputSchema, names));
  const printed = [inputType, outputType].filter((one) => one !== undefined);
  const problems = printed.flatMap(({ problem }) => problem ?? []);
  const named = literal(name);
  const isOptional = takesInput && !requiresArguments(inputSchema);
  const givenType = inputType?.problem === undefined ? typeName(input) : code`Record<string, unknown>`;
  const given = takesInput ? code`input: ${givenType}${isOptional ? code` = {}` : nothing}, ` : nothing;
  const called = code`await callTool(client, ${named}, ${takesInput ? code`input` : code`{}`}, options)`;
  const isChecked = outputType?.schema !== undefined;
  const body = isChecked ? code`structured(${named}, ${called}, ${binding(`check${output}`)})` : called;
  const result = isChecked ? typeName(output) : code`ToolResult`;
  const text = code`${join(
    printed.map((one) => one.text),
    "\n",
  )}
${docComment({ text: docsOf(tool, problems), tags: ["throws ToolError when the tool says that it has failed"] })}export async function ${binding(call)}(client: Client, ${given}options?: CallToolOptions): Promise<${result}> {
  return ${body};
}
`;
  return {
    text,
    schemas: printed.flatMap(({ schema }) => schema ?? []),
    findings: problems.map(({ part, reason }) => diagnostic("bind-schema-unused", { tool: name, part, reason })),
  };
}

/** All names that a tool needs. */
function namesOf(stem: string): Record<"call" | "input" | "output" | `${string} ${string}`, string> {
  const type = pascalCase(stem, "tool");
  const [input, output] = [`${type}Input`, `${type}Output`];
  return {
    call: functionName(stem),
    input,
    output,
    "is input": `is${input}`,
    "check input": `check${input}`,
    "is output": `is${output}`,
    "check output": `check${output}`,
  };
}

interface Problem {
  readonly part: "input" | "output";
  readonly reason: string;
}

interface PrintedSchema {
  readonly text: Code;
  readonly schema?: NamedSchema;
  readonly problem?: Problem;
}

async function printSchema(
  { name: tool }: ListedTool,
  part: Problem["part"],
  name: string,
  schema: unknown,
  names: ModuleNames,
): Promise<PrintedSchema> {
  try {
    const take = (wish: string): string => names.take(wish, (stem) => ({ stem })).stem;
    const types = await printTypes(name, schema, take);
    const named = { name, schema: withLegalPatterns(schema) };
    // A schema that cannot be validated must not affect the others.
    printValidators([named], { patterns: "ignore" });
    const about = docComment({
      text: `The ${part === "input" ? "arguments" : "output"} of the tool ${JSON.stringify(tool)}.`,
    });
    return { text: types.startsWith("/**") ? types : code`${about}${types}`, schema: named };
  } catch (error) {
    const reason = whyUnusable(error);
    if (reason === undefined) throw error;
    const text = code`${docComment({ text: `Unknown: the server's schema cannot be used. ${reason}` })}export type ${typeName(name)} = unknown;\n`;
    return { text, problem: { part, reason } };
  }
}

function docsOf({ name, title, description, annotations }: ListedTool, problems: readonly Problem[]): string {
  const hints = Object.entries({
    readOnlyHint: "read-only",
    destructiveHint: "destructive",
    idempotentHint: "idempotent",
    openWorldHint: "open world",
  }).flatMap(([hint, word]) => {
    const value = annotations?.[hint as "readOnlyHint"];
    return value === undefined ? [] : [value ? word : `not ${word}`];
  });
  const heading = title ?? annotations?.title;
  return [
    heading === undefined ? `Calls the tool ${JSON.stringify(name)}.` : `${heading} (tool ${JSON.stringify(name)})`,
    ...(description === undefined || description.trim() === "" ? [] : ["", description.trim()]),
    ...(hints.length === 0 ? [] : ["", `Hints of the server: ${hints.join(", ")}.`]),
    ...problems.map(({ part, reason }) => `\nThe ${part} schema cannot be used: ${reason}.`),
  ].join("\n");
}

function hasArguments(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { properties, additionalProperties, required } = schema;
  const isEmpty = (one: unknown): boolean => one === undefined || Object.keys(one as object).length === 0;
  const isBare = !["$ref", "allOf", "anyOf", "oneOf", "patternProperties"].some((keyword) => keyword in schema);
  const isClosed = additionalProperties === undefined || additionalProperties === false;
  return !(isBare && isClosed && isEmpty(properties) && isEmpty(required));
}

/** Whether the input is clearly optional. */
function requiresArguments(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { required } = schema;
  const isBare = !["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema);
  return !(isBare && (required === undefined || (Array.isArray(required) && required.length === 0)));
}
