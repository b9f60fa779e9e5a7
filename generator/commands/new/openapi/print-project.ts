import { code, type Code, commentLines, data, join, literal } from "../../../shared/code/code.js";
import type { Render } from "../../../pipeline/render/render.js";
import type { ApiModel, Operation, SecurityScheme, SuccessResponse } from "./api-model.js";
import type { BoundedSchemas, Direction } from "./bounded-schemas.js";
import { mapSchema, referenceOf } from "./bounded-schemas.js";
import { fileName, NamePool } from "./names.js";
import { isRead, printComment, type Printers, printTools } from "./print-tools.js";
import { ZodPrinter } from "./print-zod.js";
import type { ReadApi } from "./read-api.js";
import { NoSample, sampleValue } from "./sample-value.js";
import { isBindingName } from "../../../shared/names/identifier.js";
import { pascalCase, type Schema } from "./schema-table.js";

/** The tools of one file. */
interface Group {
  readonly name: string;
  readonly file: string;
  readonly register: Code;
  readonly operations: readonly Operation[];
}

const directions = ["request", "response"] as const satisfies readonly Direction[];

/** The files that depend on the API, not formatted. */
export function printProject({ model, requests, responses }: ReadApi, render: Render): ReadonlyMap<string, string> {
  const groups = groupsOf(model.operations);
  const files = new Map<string, string>();
  const schemas = { request: requests, response: responses };
  const printerOf = (direction: Direction, prefix: Code): ZodPrinter =>
    new ZodPrinter(schemas[direction], direction, (name) => code`${prefix}${identifier(name)}`);
  const printers: Printers = {
    request: printerOf("request", code`requests.`),
    response: printerOf("response", code`responses.`),
  };

  const needed = { request: new Set<string>(), response: new Set<string>() };
  for (const { file, register, name, operations } of groups) {
    const tools = printTools(operations, printers);
    const imports = directions.filter((direction) => tools.includes(`${direction}s.`));
    files.set(
      `src/tools/${file}.ts`,
      render("src/tools.ts", {
        imports: /\bz\./.test(tools) ? code`import { z } from "zod";` : code``,
        schemaImports: join(
          imports.map(
            (direction) => code`import * as ${`${direction}s` as Code} from ${literal(`../schemas/${direction}s.js`)};`,
          ),
          "\n",
        ),
        about: commentLines(name.replace(/\s+/g, " ")).join(" "),
        register,
        tools,
        parameters: code`server: McpServer, api: Api${operations.every(isRead) ? code`` : code`, readOnly: boolean`}`,
      }),
    );
    files.set(`test/tools/${file}.test.ts`, render("test/tools.test.ts", { cases: printCases(operations, schemas) }));
  }
  for (const { parameters, body, response } of model.operations) {
    const roots = [...parameters.map(({ schema }) => schema), ...(body ? [body.schema] : [])];
    for (const name of requests.neededBy(roots)) needed.request.add(name);
    for (const name of responses.neededBy([response.schema])) needed.response.add(name);
  }
  const used = [...files]
    .filter(([path]) => path.startsWith("src/tools/"))
    .map(([, text]) => text)
    .join("\n");
  for (const direction of directions) {
    if (!used.includes(`../schemas/${direction}s.js`)) continue;
    const names = reachable(schemas[direction], needed[direction], used, direction);
    const printed = printSchemas(schemas[direction], names, printerOf(direction, code``));
    files.set(`src/schemas/${direction}s.ts`, render("src/schemas.ts", { schemas: printed }));
  }
  files.set("src/schemes.ts", render("src/schemes.ts", { schemes: printSchemes(model.schemes) }));
  files.set("test/operations.json", printOperations(model, schemas, needed));
  files.set("src/server.ts", render("src/server.ts", serverView(model, groups)));
  return files;
}

/** The names of the table are identifiers already; this makes them code. */
function identifier(name: string): Code {
  if (!isBindingName(name)) throw new TypeError(`not a name of a schema: ${name}`);
  return name as Code;
}

/** Schemas that the tools name, and those that these need. */
function reachable(
  schemas: BoundedSchemas,
  candidates: ReadonlySet<string>,
  used: string,
  direction: Direction,
): readonly string[] {
  const named = [...candidates].filter((name) => new RegExp(`\\b${direction}s\\.${name}\\b`).test(used));
  return [...new Set([...named, ...schemas.neededBy(named.map((name) => ({ $ref: `#/schemas/${name}` })))])].sort(
    (a, b) => order(schemas, a) - order(schemas, b),
  );
}

const orders = new WeakMap<BoundedSchemas, ReadonlyMap<string, number>>();
function order(schemas: BoundedSchemas, name: string): number {
  let known = orders.get(schemas);
  if (!known) orders.set(schemas, (known = new Map([...schemas.schemas.keys()].map((one, index) => [one, index]))));
  return known.get(name) ?? 0;
}

function printSchemas(schemas: BoundedSchemas, names: readonly string[], printer: ZodPrinter): Code {
  return join(
    names.map((name) => {
      const printed = printer.print(schemas.schemas.get(name) ?? true);
      // The compiler cannot derive the type of a schema from itself.
      return schemas.recursive.has(name)
        ? code`export const ${identifier(name)}: z.ZodType<Record<string, unknown>> = z.lazy(() => ${printed} as z.ZodType<Record<string, unknown>>);`
        : code`export const ${identifier(name)} = ${printed};`;
    }),
    "\n\n",
  );
}

function groupsOf(operations: readonly Operation[]): readonly Group[] {
  const byFile = new Map<string, Operation[]>();
  const names = new Map<string, string>();
  for (const operation of operations) {
    const file = fileName(operation.group);
    names.set(file, names.get(file) ?? operation.group);
    byFile.set(file, [...(byFile.get(file) ?? []), operation]);
  }
  const pool = new NamePool();
  return [...byFile]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, own]) => {
      const register = pool.take(`register${pascalCase(file)}`, 100);
      return { file, name: names.get(file) ?? file, register: identifier(register), operations: own };
    });
}

function printCases(operations: readonly Operation[], schemas: Readonly<Record<Direction, BoundedSchemas>>): Code {
  return join(
    operations.map((operation) => {
      try {
        sampleResponse(operation.response, schemas.response);
        const required = argumentsOf(operation, schemas.request, "required");
        const all = argumentsOf(operation, schemas.request, "all");
        const further = JSON.stringify(all) === JSON.stringify(required) ? code`` : code`, all: ${data(all)}`;
        return code`testTool(${literal(operation.tool)}, { required: ${data(required)}${further} });`;
      } catch (error) {
        if (!(error instanceof NoSample)) throw error;
        return code`${printComment(`${operation.tool} has no test, because no example of its arguments or result was found: ${error.message}.`)}`;
      }
    }),
    "\n",
  );
}

function argumentsOf(operation: Operation, schemas: BoundedSchemas, members: "all" | "required"): object {
  const result: Record<string, unknown> = {};
  const inputs = [...operation.parameters, ...(operation.body ? [operation.body] : [])];
  for (const { argument, required, schema } of inputs) {
    if (!required && members === "required") continue;
    try {
      const value = sampleValue(schema, schemas, members);
      // An optional text, list or object without content is written like an absent one.
      if (
        !required &&
        (value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0))
      )
        continue;
      result[argument] = value;
    } catch (error) {
      if (required || !(error instanceof NoSample)) throw error;
    }
  }
  return result;
}

function printSchemes(schemes: readonly SecurityScheme[]): Code {
  return data(Object.fromEntries(schemes.map(({ name, credentials }) => [name, credentials])));
}

/** What the mock of the tests needs. References name schemas of the same file. */
function printOperations(
  { operations }: ApiModel,
  schemas: Readonly<Record<Direction, BoundedSchemas>>,
  needed: Readonly<Record<Direction, ReadonlySet<string>>>,
): string {
  const listed = (direction: Direction): object =>
    Object.fromEntries(
      [...needed[direction]]
        .sort()
        .map((name) => [name, located(schemas[direction].schemas.get(name) ?? true, direction)]),
    );
  const plain = operations.map(({ tool, method, path, url, parameters, body, response, security }) => ({
    tool,
    method,
    path,
    url,
    parameters: parameters.map(({ argument: _, description: __, schema, ...rest }) => ({
      ...rest,
      schema: located(schema, "request"),
    })),
    body: body && { ...body, argument: undefined, description: undefined, schema: located(body.schema, "request") },
    response: {
      status: response.status,
      type: response.type,
      schema: located(response.schema, "response"),
      sample: unlessNoSample(() => sampleResponse(response, schemas.response)),
    },
    security,
  }));
  const description = { operations: plain, requests: listed("request"), responses: listed("response") };
  return `${JSON.stringify(description, undefined, 1)}\n`;
}

/** What the mock responds with. @throws NoSample */
function sampleResponse({ type, schema }: SuccessResponse, schemas: BoundedSchemas): unknown {
  return type !== undefined && /[/+]json$/.test(type) ? sampleValue(schema, schemas, "all") : undefined;
}

function unlessNoSample<Value>(find: () => Value): Value | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof NoSample) return undefined;
    throw error;
  }
}

/**
 * With references into the file, and without texts for readers. Alternatives of `oneOf` often overlap, so that a value of one is
 * also one of another: as with the schemas of the tools, one that fits is enough.
 */
function located(schema: Schema, direction: Direction): unknown {
  return mapSchema(schema, (inner, again) => {
    const { description: _, default: __, oneOf, anyOf = oneOf, ...others } = inner;
    const rest = anyOf === undefined ? others : { ...others, anyOf };
    const name = referenceOf(rest);
    return again(name === undefined ? rest : { ...rest, $ref: `#/${direction}s/${name}` });
  });
}

function serverView({ title, description }: ApiModel, groups: readonly Group[]): object {
  const about = description === undefined ? "" : ` ${firstParagraph(description)}`;
  return {
    imports: join(
      groups.map(({ register, file }) => code`import { ${register} } from ${literal(`./tools/${file}.js`)};`),
      "\n",
    ),
    instructions: literal(`Tools for the API "${title}".${about}`.slice(0, 1_000)),
    calls: join(
      groups.map(
        ({ register, operations }) =>
          code`  ${register}(server, api${operations.every(isRead) ? code`` : code`, readOnly`});`,
      ),
      "\n",
    ),
  };
}

function firstParagraph(text: string): string {
  return (text.trim().split(/\n\s*\n/)[0] ?? "").replace(/\s+/g, " ");
}
