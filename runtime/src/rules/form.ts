import { isObject } from "../jsonrpc/guards.js";

/** The form features of a revision. */
export interface FormLevel {
  /** Whether a field may offer a choice of several values. */
  readonly multiSelect: boolean;
}

/** A problem with the content of a form. */
export interface FormIssue {
  /** The field, then the index for one of several choices; empty when the content is not an object. */
  readonly path: string[];
  /** The expected value, for users. */
  readonly message: string;
}

type Members = Readonly<Record<string, unknown>>;
/** A test, its description, the keywords of the lower and the upper bound, and their unit. */
type Kind = readonly [fits: (value: unknown) => boolean, noun: string, least: string, most: string, unit: string];

const kinds = new Map<unknown, Kind>([
  ["string", [(value) => typeof value === "string", "a string", "minLength", "maxLength", " characters"]],
  ["number", [Number.isFinite, "a number", "minimum", "maximum", ""]],
  ["integer", [Number.isInteger, "an integer", "minimum", "maximum", ""]],
  ["boolean", [(value) => typeof value === "boolean", "a boolean", "", "", ""]],
  ["array", [Array.isArray, "a list", "minItems", "maxItems", " items"]],
]);

const formats = new Map<unknown, RegExp>([
  ["email", /^[^\s@]+@[^\s@]+$/],
  ["uri", /^[a-z][a-z\d+.-]*:\S+$/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["date-time", /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-6]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i],
]);

/** Keywords of JSON Schema that nest or restrict in ways that forms do not support. */
const foreign = /^(\$ref|allOf|anyOf|not|if|const|exclusiveM..imum|multipleOf)$/;

/**
 * Checks that a schema describes a form (MCP, elicitation: requested schema): a flat object of strings, numbers, booleans
 * and choices of strings. Annotations and unknown keywords are accepted.
 * @returns a sentence that describes the problem, if any
 */
export function checkFormSchema(schema: unknown, level: FormLevel): string | undefined {
  if (!isObject(schema) || schema["type"] !== "object" || !isObject(schema["properties"]))
    return 'A form needs type "object" and properties';
  const { properties, required = [] } = schema;
  const keyword = foreignKeyword(schema);
  if (keyword) return `Forms do not support ${keyword}`;
  for (const [name, field] of Object.entries(properties)) {
    const fault = fieldFault(field, level);
    if (fault) return `Form field ${JSON.stringify(name.slice(0, 60))}: ${fault}`;
  }
  const known = (name: unknown): boolean => typeof name === "string" && Object.hasOwn(properties, name);
  return Array.isArray(required) && required.every(known) ? undefined : "The form requires a name that is not a field";
}

/**
 * Checks the content of an accepted form (MCP, elicitation: response). Missing content counts as an empty object. Members
 * that are not fields, and repeated choices, are accepted. Lengths count code points. `pattern` is an annotation: the peer
 * may have written it, so it is never run.
 * @param schema a schema that `checkFormSchema` accepts; invalid parts of other schemas are not checked
 * @returns all issues, in the order of the fields
 */
export function checkFormContent(schema: unknown, content: unknown = {}): readonly FormIssue[] {
  if (!isObject(content)) return [{ path: [], message: "must be an object" }];
  const { required } = asObject(schema);
  return fieldsOf(schema).flatMap(([name, field]) => {
    if (has(content, name)) return issues(asObject(field), content[name], [name]);
    return Array.isArray(required) && required.includes(name) ? [{ path: [name], message: "is required" }] : [];
  });
}

/**
 * Adds the defaults of fields that the content leaves out (MCP, elicitation: requested schema).
 * @returns a new object; defaults are not copied
 */
export function withDefaults(schema: unknown, content: Members = {}): Record<string, unknown> {
  const defaults = fieldsOf(schema)
    .map(([name, field]) => [name, asObject(field)["default"]] as const)
    .filter(([name, preset]) => preset !== undefined && !has(content, name));
  return { ...content, ...Object.fromEntries(defaults) };
}

function fieldFault(field: unknown, { multiSelect }: FormLevel): string | undefined {
  const { type, ...keywords } = asObject(field);
  const kind = kinds.get(type);
  const multiple = type === "array";
  if (!kind || (multiple && !multiSelect)) return "forms do not support its type";
  const keyword = foreignKeyword(keywords);
  if (keyword) return `forms do not support ${keyword}`;
  const item: Members = multiple ? itemOf(keywords) : { ...keywords, type };
  const choices = choicesOf(item);
  if (choices !== undefined && item["type"] !== "string") return "choices must be strings";
  // The keywords are checked as if they were the content of a form; the default must match the field.
  const [, , least, most, unit] = kind;
  const bound = unit ? { type: "integer", minimum: 0 } : { type: "number" };
  const properties = {
    [least]: bound,
    [most]: bound,
    format: { type: "string", enum: [...formats.keys()] },
    choices: { type: "array", minItems: 1 },
    default: field,
  };
  const [issue] = checkFormContent({ properties, required: multiple ? ["choices"] : [] }, { ...keywords, choices });
  return issue && `${issue.path.join(".")} ${issue.message}`;
}

function issues(field: Members, value: unknown, path: string[]): FormIssue[] {
  const kind = kinds.get(field["type"]);
  if (!kind) return [];
  const [fits, noun, least, most, unit] = kind;
  const issue = (message: string): FormIssue[] => [{ path, message: `must be ${message}` }];
  if (!fits(value)) return issue(noun);
  const size = sizeOf(value);
  const [min, max, choices] = [field[least], field[most], choicesOf(field)];
  if (typeof min === "number" && size < min) return issue(`at least ${min}${unit}`);
  if (typeof max === "number" && size > max) return issue(`at most ${max}${unit}`);
  if (Array.isArray(choices) && !choices.includes(value)) return issue("one of the choices");
  if (Array.isArray(value)) return value.flatMap((item, index) => issues(itemOf(field), item, [...path, `${index}`]));
  return typeof value === "string" && !hasFormat(value, field["format"])
    ? issue(`a valid ${field["format"] as string}`)
    : [];
}

function foreignKeyword(schema: Members): string | undefined {
  return Object.keys(schema).find((key) => foreign.test(key));
}

function asObject(value: unknown): Members {
  return isObject(value) ? value : {};
}

function fieldsOf(schema: unknown): [string, unknown][] {
  return Object.entries(asObject(asObject(schema)["properties"]));
}

/** The field for one of several choices: these have titles in `anyOf`, and a single choice in `oneOf`. */
function itemOf({ items }: Members): Members {
  const { anyOf, ...rest } = asObject(items);
  return { type: "string", ...rest, oneOf: anyOf };
}

/** The allowed values; undefined if all are allowed. */
function choicesOf({ enum: values, oneOf }: Members): unknown {
  return values ?? (Array.isArray(oneOf) ? oneOf.map((choice) => asObject(choice)["const"]) : oneOf);
}

function sizeOf(value: unknown): number {
  if (typeof value !== "string") return Array.isArray(value) ? value.length : (value as number);
  let size = 0;
  for (const _ of value) size++;
  return size;
}

function hasFormat(value: string, format: unknown): boolean {
  const form = formats.get(format);
  if (!form?.test(value)) return !form;
  const day = value.slice(0, 10);
  // A day that the month does not have is parsed as another day, or as an invalid date, which prints as null.
  return format === "email" || format === "uri" || JSON.stringify(new Date(day)).includes(day);
}

/** Whether the member exists; undefined members vanish in JSON. */
function has(content: Members, name: string): boolean {
  return Object.hasOwn(content, name) && content[name] !== undefined;
}
