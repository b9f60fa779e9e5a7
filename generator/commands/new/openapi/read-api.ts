import { isObject } from "../../../shared/is-object.js";
import type { ApiModel, Operation } from "./api-model.js";
import { BoundedSchemas } from "./bounded-schemas.js";
import { NamePool, toolName } from "./names.js";
import { type Located, type OpenApiDocument, own, text } from "./openapi-document.js";
import { recognizeNextPage } from "./pagination.js";
import { findOperations, type FoundOperation } from "./pick-operations.js";
import { readBody } from "./read-body.js";
import { readParameters } from "./read-parameters.js";
import { readResponse } from "./read-response.js";
import { readSchemes, readSecurity } from "./read-security.js";
import { SchemaTable } from "./schema-table.js";

export interface ReadApi {
  readonly model: ApiModel;
  readonly requests: BoundedSchemas;
  readonly responses: BoundedSchemas;
}

/** The longest description of a tool; a model reads those of all tools. */
const maxDescription = 2_000;
/** Most hosts accept names of 64 characters, of which they take some for the name of the server. */
const maxToolName = 60;

/**
 * Reads the picked operations of a description.
 * @param source where the description comes from, for relative URLs of the API
 */
export function readApi(document: OpenApiDocument, picked: readonly FoundOperation[], source: string): ReadApi {
  const table = new SchemaTable(document);
  const info = document.follow(own(document.root, "info"), "#/info")?.value ?? {};
  const schemes = readSchemes(document);
  const names = toolNames(document);
  const url = serverUrl(document.root, source);
  const read = picked.map((found): Omit<Operation, "nextPage"> => {
    const { method, path, operation, item, tags } = found;
    const pool = new NamePool();
    const parameters = readParameters(document, found, table, pool);
    const own = serverUrl(operation.value, source) ?? serverUrl(item.value, source);
    const title = text(operation.value["summary"]) ?? text(item.value["summary"]);
    return {
      tool: names.get(operation.pointer) ?? "",
      method,
      path,
      title: title && oneLine(title, 200),
      description: describe(found),
      group: tags[0] ?? path.split("/").find((part) => part !== "" && !part.startsWith("{")) ?? "tools",
      parameters,
      body: method === "GET" || method === "HEAD" ? undefined : readBody(document, operation, table, pool),
      response: readResponse(document, operation, table),
      security: readSecurity(document, operation, schemes),
      url: own === url ? undefined : own,
      pointer: operation.pointer,
    };
  });
  const [requests, responses] = [new BoundedSchemas(table, "request"), new BoundedSchemas(table, "response")];
  const operations = read.map((one): Operation => {
    const parameters = one.parameters.map((parameter) => ({ ...parameter, schema: requests.bound(parameter.schema) }));
    const response = { ...one.response, schema: responses.bound(one.response.schema) };
    const nextPage = recognizeNextPage(parameters, response.schema, (schema) => responses.follow(schema));
    const body = one.body && { ...one.body, schema: requests.bound(one.body.schema) };
    return { ...one, parameters, body, response, nextPage };
  });
  const used = new Set(operations.flatMap(({ security }) => security.flat()));
  const model = {
    title: oneLine(text(info["title"]) ?? "API", 200),
    description: text(info["description"]),
    url,
    schemes: schemes.filter(({ name }) => used.has(name)),
    operations,
  };
  return { model, requests, responses };
}

/** Names of the tools of all operations, so that another choice of operations changes no name. */
function toolNames(document: OpenApiDocument): ReadonlyMap<string, string> {
  const pool = new NamePool();
  return new Map(
    findOperations(document).map(({ operation, method, path }) => {
      const wish = toolName(text(operation.value["operationId"]), method, path);
      return [operation.pointer, pool.take(wish === "" ? method.toLowerCase() : wish, maxToolName)];
    }),
  );
}

function describe({ operation, item, method, path }: FoundOperation): string {
  const summary = text(operation.value["summary"])?.trim();
  const full = (text(operation.value["description"]) ?? text(item.value["description"]))?.trim();
  const parts = [summary, full === summary ? undefined : full].filter((part) => part !== undefined);
  const described = parts.length === 0 ? `${method} ${path}` : parts.join("\n\n");
  return described.length <= maxDescription ? described : `${described.slice(0, maxDescription - 1).trimEnd()}…`;
}

function oneLine(value: string, longest: number): string {
  const line = value.replace(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** The first URL of `servers`, with the defaults of its variables. Undefined if it is not absolute. */
function serverUrl(owner: Located["value"], source: string): string | undefined {
  const servers = own(owner, "servers");
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isObject(first)) return undefined;
  const variables = isObject(first["variables"]) ? first["variables"] : {};
  const url = String(first["url"]).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = own(variables, name);
    return isObject(variable) ? String(variable["default"]) : whole;
  });
  const base = /^https?:\/\//i.test(source) ? source : undefined;
  if (!URL.canParse(url, base) || /[{}]/.test(url)) return undefined;
  const { href, protocol } = new URL(url, base);
  return protocol === "https:" || protocol === "http:" ? href.replace(/\/+$/, "") : undefined;
}
