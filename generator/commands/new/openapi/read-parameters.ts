import { fail } from "../../../shared/diagnostics/diagnostic.js";
import type { Parameter, ParameterPlace, ParameterStyle } from "./api-model.js";
import { argumentName, maxNameLength, type NamePool } from "./names.js";
import { type Located, type OpenApiDocument, own, text } from "./openapi-document.js";
import type { FoundOperation } from "./pick-operations.js";
import type { SchemaTable } from "./schema-table.js";

const places: readonly ParameterPlace[] = ["path", "query", "header", "cookie"];
/** Headers that the body and the credentials decide. */
const ofRequest = new Set(["accept", "content-type", "authorization"]);

/** The parameters of an operation, with those of its path. */
export function readParameters(
  document: OpenApiDocument,
  found: FoundOperation,
  table: SchemaTable,
  pool: NamePool,
): readonly Parameter[] {
  const byKey = new Map<string, Located>();
  for (const owner of [found.item, found.operation]) {
    const stated = own(owner.value, "parameters");
    for (const [index, one] of (Array.isArray(stated) ? stated : []).entries()) {
      const parameter = document.follow(one, `${owner.pointer}/parameters/${index}`);
      if (parameter) byKey.set(`${String(parameter.value["in"])} ${String(parameter.value["name"])}`, parameter);
    }
  }
  const inPath = new Set([...found.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name));
  const parameters = [...byKey.values()].flatMap((parameter) => {
    const [name, place] = [String(parameter.value["name"]), places.find((one) => one === parameter.value["in"])];
    if (place === undefined || (place === "header" && ofRequest.has(name.toLowerCase()))) return [];
    if (place === "path" && !inPath.delete(name)) return [];
    if (place === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      if (parameter.value["required"] !== true) return [];
      fail("openapi-name-invalid", {
        path: document.path,
        pointer: parameter.pointer,
        what: "header",
        reason: JSON.stringify(name),
      });
    }
    return [readParameter(document, parameter, name, place, table, pool)];
  });
  const [missing] = inPath;
  if (missing !== undefined)
    fail("openapi-invalid", {
      path: document.path,
      pointer: found.operation.pointer,
      reason: `does not describe the parameter {${missing}} of its path`,
    });
  return parameters;
}

function readParameter(
  document: OpenApiDocument,
  parameter: Located,
  name: string,
  place: ParameterPlace,
  table: SchemaTable,
  pool: NamePool,
): Parameter {
  const { value, pointer } = parameter;
  const [content] = document.members(document.member(parameter, "content"));
  const isJson = content !== undefined && /[/+]json$/.test(content[0]);
  const schema = content ? content[1].value["schema"] : value["schema"];
  return {
    argument: pool.take(argumentName(name), maxNameLength),
    name,
    in: place,
    required: place === "path" || value["required"] === true,
    description: text(value["description"]),
    schema: schema === undefined ? { type: "string" } : table.convert(schema, pointer),
    style: isJson ? { json: true } : styleOf(value, place),
  };
}

/** What differs from the usual style of a place. */
export function styleOf(value: Readonly<Record<string, unknown>>, place: ParameterPlace): ParameterStyle | undefined {
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const style = text(value["style"]) ?? usual;
  const usualExplode = style === "form";
  const explode = typeof value["explode"] === "boolean" ? value["explode"] : usualExplode;
  const result: ParameterStyle = {
    ...(style !== usual && { style }),
    ...(explode !== usualExplode && style !== "deepObject" && { explode }),
    ...(value["allowReserved"] === true && place === "query" && { allowReserved: true as const }),
  };
  return Object.keys(result).length === 0 ? undefined : result;
}
