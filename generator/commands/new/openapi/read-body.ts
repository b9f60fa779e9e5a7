import { isObject } from "../../../shared/is-object.js";
import type { ParameterStyle, RequestBody } from "./api-model.js";
import { maxNameLength, type NamePool } from "./names.js";
import { type Located, type OpenApiDocument, text } from "./openapi-document.js";
import { styleOf } from "./read-parameters.js";
import type { Schema, SchemaTable } from "./schema-table.js";

/** The body of an operation, in the first of its media types that is supported best. */
export function readBody(
  document: OpenApiDocument,
  operation: Located,
  table: SchemaTable,
  pool: NamePool,
): RequestBody | undefined {
  const body = document.member(operation, "requestBody");
  const media = document.members(body && document.member(body, "content"));
  if (!body || media.length === 0) return undefined;
  const ranked = media.map(([type, one]) => ({ type: baseType(type), kind: kindOf(baseType(type)), one }));
  const [best] = ranked.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  if (!best) return undefined;
  const { kind, type, one } = best;
  const stated = table.convert(one.value["schema"] ?? {}, one.pointer);
  const schema = kind === "multipart" || kind === "form" ? ofParts(stated, table) : stated;
  const shared = {
    argument: pool.take("body", maxNameLength),
    required: body.value["required"] === true,
    description: text(body.value["description"]),
    kind,
    type: type.includes("*") ? "application/octet-stream" : type,
    files: kind === "multipart" ? filesOf(schema, table) : [],
    styles: kind === "form" ? stylesOf(document, one) : {},
  };
  if (kind === "text") return { ...shared, schema: { type: "string" } };
  if (kind === "base64") return { ...shared, schema: { type: "string", description: "The bytes in Base64" } };
  return { ...shared, schema };
}

const order = ["json", "form", "multipart", "text", "base64"] as const;

function kindOf(type: string): RequestBody["kind"] {
  if (type === "*/*" || /[/+]json$/.test(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "multipart/form-data") return "multipart";
  return /^text\/|[/+](?:xml|yaml)$/.test(type) ? "text" : "base64";
}

function baseType(type: string): string {
  const [base = ""] = type.split(";");
  const clean = base.trim().toLowerCase();
  return clean === "*/*" ? "application/json" : clean;
}

/** Members of a multipart body that are files, directly or in a list. */
function filesOf(schema: Schema, table: SchemaTable): readonly string[] {
  const followed = follow(schema, table);
  const properties = isObject(followed) ? followed["properties"] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, one]) => (isFile(one, table) ? [name] : []));
}

function isFile(schema: unknown, table: SchemaTable): boolean {
  const followed = follow(schema as Schema, table);
  if (!isObject(followed)) return false;
  if (followed["type"] === "array") return isFile(followed["items"], table);
  return followed["format"] === "binary" || typeof followed["contentMediaType"] === "string";
}

/** Some descriptions have no schema of a form, or that of its only file. */
function ofParts(schema: Schema, table: SchemaTable): Schema {
  const followed = follow(schema, table);
  if (!isObject(followed) || Object.keys(followed).every((key) => key === "description")) return { type: "object" };
  if (followed["type"] !== "string") return schema;
  return { type: "object", required: ["file"], properties: { file: { ...followed, format: "binary" } } };
}

function follow(schema: Schema, table: SchemaTable): Schema {
  let current = schema;
  for (let depth = 0; depth < 20 && isObject(current) && typeof current["$ref"] === "string"; depth++)
    current = table.schemas.get(current["$ref"].slice("#/schemas/".length)) ?? true;
  return current;
}

function stylesOf(document: OpenApiDocument, media: Located): Readonly<Record<string, ParameterStyle>> {
  return Object.fromEntries(
    document.members(document.member(media, "encoding")).flatMap(([name, { value }]) => {
      const type = text(value["contentType"]);
      const style = type !== undefined && /[/+]json/.test(type) ? { json: true as const } : styleOf(value, "query");
      return style ? [[name, style] as const] : [];
    }),
  );
}
