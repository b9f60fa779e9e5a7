import {
  code,
  type Code,
  commentLines,
  data,
  entryKey,
  join,
  key,
  literal,
  access,
} from "../../../shared/code/code.js";
import type { Operation, Parameter, ParameterPlace, RequestBody } from "./api-model.js";
import type { Schema } from "./schema-table.js";
import type { ZodPrinter } from "./print-zod.js";

/** How the schemas of requests and responses are printed. */
export interface Printers {
  readonly request: ZodPrinter;
  readonly response: ZodPrinter;
}

/** The statements that register the tools of one file. */
export function printTools(operations: readonly Operation[], printers: Printers): Code {
  const [reads, writes] = [operations.filter(isRead), operations.filter((one) => !isRead(one))];
  const printed = (some: readonly Operation[]): readonly Code[] => some.map((one) => printTool(one, printers));
  return join(
    [...printed(reads), ...(writes.length > 0 ? [code`if (readOnly) return;`] : []), ...printed(writes)],
    "\n\n",
  );
}

/** Whether an operation changes nothing. */
export function isRead({ method }: Operation): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function printTool(operation: Operation, { request, response }: Printers): Code {
  const { tool, title, description, method } = operation;
  const readOnlyHint = isRead(operation);
  const output = operation.response.isStructured ? response.printObject(operation.response.schema) : undefined;
  const input = printInput(operation, request);
  const hasArguments = input !== undefined;
  const config: readonly Code[] = [
    ...(title === undefined ? [] : [code`title: ${literal(title)}`]),
    code`description: ${literal(description)}`,
    ...(hasArguments ? [code`inputSchema: ${input}`] : []),
    ...(output === undefined ? [] : [code`outputSchema: ${output}`]),
    code`annotations: ${data({
      readOnlyHint,
      ...(!readOnlyHint && {
        destructiveHint: method !== "POST",
        idempotentHint: method === "PUT" || method === "DELETE",
      }),
      openWorldHint: true,
    })}`,
  ];
  const parameters = hasArguments ? code`args, { signal }` : code`{ signal }`;
  return code`server.registerTool(
    ${literal(tool)},
    {
      ${join(config, ",\n      ")},
    },
    (${parameters}) => api.call(${printRequest(operation, output !== undefined)}, signal),
  );`;
}

function printInput({ parameters, body }: Operation, printer: ZodPrinter): Code | undefined {
  const of = (name: string, schema: Schema, description: string | undefined, required: boolean): Code => {
    // The description of the parameter is more exact than that of its schema.
    const described =
      description === undefined || schema === false ? schema : { ...(schema === true ? {} : schema), description };
    const printed = printer.print(described);
    return code`${entryKey(name)}: ${required ? printed : code`${printed}.optional()`}`;
  };
  const members = [
    ...parameters.map((one) => of(one.argument, one.schema, one.description, one.required)),
    ...(body ? [of(body.argument, body.schema, body.description, body.required)] : []),
  ];
  return members.length === 0 ? undefined : code`z.strictObject({\n${join(members, ",\n")},\n})`;
}

function printRequest(operation: Operation, isStructured: boolean): Code {
  const { method, path, parameters, body, security, url, nextPage } = operation;
  const styles = parameters.flatMap(({ name, style }) => (style ? [code`${entryKey(name)}: ${data(style)}`] : []));
  const members: readonly Code[] = [
    code`method: ${literal(method)}`,
    code`path: ${literal(path)}`,
    ...printPlace("pathParameters", "path", parameters),
    ...printPlace("query", "query", parameters),
    ...printPlace("headers", "header", parameters),
    ...printPlace("cookies", "cookie", parameters),
    ...(styles.length > 0 ? [code`styles: { ${join(styles, ", ")} }`] : []),
    ...(body ? [printBody(body)] : []),
    ...(security.length > 0 ? [code`security: ${data(security)}`] : []),
    ...(url === undefined ? [] : [code`url: ${literal(url)}`]),
    ...(isStructured ? [code`structured: true`] : []),
    ...(nextPage ? [code`nextPage: ${data(nextPage)}`] : []),
  ];
  return code`{ ${join(members, ", ")} }`;
}

function printPlace(member: string, place: ParameterPlace, parameters: readonly Parameter[]): readonly Code[] {
  const values = parameters.flatMap((one) =>
    one.in === place ? [code`${entryKey(one.name)}: ${argument(one.argument)}`] : [],
  );
  return values.length === 0 ? [] : [code`${key(member)}: { ${join(values, ", ")} }`];
}

function argument(name: string): Code {
  return access("args" as Code, name);
}

function printBody({ argument: name, required, kind, type, files, styles }: RequestBody): Code {
  const value = argument(name);
  const has = Object.keys(styles).length > 0;
  const encoded = {
    json: code`{ kind: "json", value: ${value}${type === "application/json" ? code`` : code`, type: ${literal(type)}`} }`,
    form: code`{ kind: "form", values: ${value}${has ? code`, styles: ${data(styles)}` : code``} }`,
    multipart: code`{ kind: "multipart", values: ${value}${files.length > 0 ? code`, files: ${data(files)}` : code``} }`,
    text: code`{ kind: "text", text: ${value}, type: ${literal(type)} }`,
    base64: code`{ kind: "base64", data: ${value}, type: ${literal(type)} }`,
  }[kind];
  return required ? code`body: ${encoded}` : code`body: ${value} === undefined ? undefined : ${encoded}`;
}

/** Comments of one line each. */
export function printComment(text: string): Code {
  return join(
    commentLines(text).map((line) => code`// ${line}`),
    "\n",
  );
}
