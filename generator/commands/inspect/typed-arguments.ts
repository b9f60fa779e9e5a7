import { fail } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import { resolveLocally } from "../../shared/json/resolve-locally.js";

type Members = Readonly<Record<string, unknown>>;

/**
 * Converts `key=value` arguments to the types of the tool's input schema. A repeated key makes an array where the schema
 * expects one; `key:=json` is JSON for any schema.
 * @throws DiagnosticError request-arguments
 */
export function typedArguments(pairs: readonly string[], schema: Members): Record<string, unknown> {
  const given = new Map<string, unknown[]>();
  const { properties } = withMembers(schema);
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) fail("request-arguments", { reason: `${pair} does not have the form key=value` });
    const isJson = pair[at - 1] === ":" && at > 1;
    const name = pair.slice(0, isJson ? at - 1 : at);
    const text = pair.slice(at + 1);
    const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = isJson ? json(name, text) : typed(name, text, member, schema);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  const entries = [...given].map(([name, values]) => {
    if (values.length === 1) return [name, values[0]] as const;
    if (values.every((value) => Array.isArray(value))) return [name, values.flat()] as const;
    return fail("request-arguments", { reason: `${name} was given ${values.length} times, but is not an array` });
  });
  return Object.fromEntries(entries);
}

function typed(name: string, text: string, member: unknown, root: Members): unknown {
  const schema = resolveLocally(member, root);
  const types = typesOf(schema);
  const wrong = (wanted: string): never =>
    fail("request-arguments", { reason: `${name} must be ${wanted}, not ${text}` });
  if (types.length === 0) return guessed(text);
  if (types.includes("null") && text === "null" && !types.includes("string")) return null;
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (types.includes("integer") || types.includes("number")) {
    const number = text.trim() === "" ? NaN : Number(text);
    if (Number.isFinite(number) && (types.includes("number") || Number.isInteger(number))) return number;
  }
  if (types.includes("string")) return text;
  if (types.includes("array")) {
    const value = text.startsWith("[") ? json(name, text) : undefined;
    return Array.isArray(value) ? (value as unknown[]) : [typed(name, text, schema["items"], root)];
  }
  if (types.includes("object")) {
    const value = json(name, text);
    return isObject(value) ? value : wrong("an object as JSON");
  }
  return wrong(types.map((type) => `a${/^[aio]/.test(type) ? "n" : ""} ${type}`).join(" or "));
}

/** The schema with the members of an object, after references are resolved. */
export function withMembers(schema: Members): Members {
  return schema["properties"] === undefined ? resolveLocally(schema, schema) : schema;
}

function typesOf({ type, enum: values, anyOf, oneOf }: Members): readonly string[] {
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))];
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return [];
  const types = branches.map((branch) => (isObject(branch) ? typesOf({ ...branch, anyOf: 0, oneOf: 0 }) : []));
  return types.some((one) => one.length === 0) ? [] : types.flat();
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Reads a value without a declared type: as JSON if it is valid JSON, otherwise as a string. */
function guessed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail("request-arguments", { reason: `${name} must be JSON: ${(error as Error).message}` });
  }
}
