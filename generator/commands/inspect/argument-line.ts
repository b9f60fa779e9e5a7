import { isObject } from "../../shared/is-object.js";
import { escapeLine } from "../../shared/command/escape-controls.js";
import { rangeText } from "../../shared/sessions/range-text.js";
import { withMembers } from "./typed-arguments.js";

type Members = Readonly<Record<string, unknown>>;

/** The arguments of a tool in one line: `city: string, days?: integer 1..7`. */
export function argumentLine(schema: unknown): string {
  const { properties, required, additionalProperties } = withMembers(asObject(schema));
  const members = Object.entries(asObject(properties));
  const wanted = Array.isArray(required) ? (required as unknown[]) : [];
  const listed = members.map(([name, member]) => `${name}${wanted.includes(name) ? "" : "?"}: ${typeText(member)}`);
  const open = members.length === 0 && additionalProperties !== false && schemaIsOpen(schema) ? ["anything"] : [];
  return escapeLine([...listed, ...open].join(", "), 1_000);
}

/** The structured output of a tool; undefined without an output schema. */
export function outputLine(schema: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const isObjectType = withMembers(asObject(schema))["properties"] !== undefined;
  return isObjectType ? `{ ${argumentLine(schema)} }` : typeText(schema);
}

function schemaIsOpen(schema: unknown): boolean {
  return Object.keys(asObject(schema)).some((key) => ["anyOf", "oneOf", "allOf", "$ref"].includes(key));
}

function typeText(schema: unknown, depth = 0): string {
  if (depth > 3) return "…";
  const { type, enum: values, items, anyOf, oneOf, $ref, minimum, maximum, ...rest } = asObject(schema);
  if ("const" in rest) return JSON.stringify(rest["const"]);
  if (Array.isArray(values)) return alternatives(values.map((value) => JSON.stringify(value)));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return alternatives(branches.map((branch) => typeText(branch, depth + 1)));
  if (typeof $ref === "string") return $ref.split("/").at(-1) ?? "";
  if (type === "array") {
    const item = typeText(items, depth + 1);
    return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
  }
  if (typeof type === "string") return `${type}${rangeText({ minimum, maximum })}`;
  return Array.isArray(type) ? alternatives(type.map(String)) : "any";
}

function alternatives(all: readonly string[]): string {
  return all.length > 12 ? `${all.slice(0, 12).join(" | ")} | …` : all.join(" | ");
}

function asObject(value: unknown): Members {
  return isObject(value) ? value : {};
}
