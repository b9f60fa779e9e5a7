import type { DiagnosticId } from "../../../shared/diagnostics/catalogue.js";
import { isObject } from "../../../shared/is-object.js";
import { closestName } from "../../../shared/names/closest.js";
import { serverType } from "./config-fields.js";
import { readText } from "./config-text.js";
import {
  describeType,
  type Field,
  fieldNamed,
  type FieldType,
  listOr,
  type MapType,
  type ObjectType,
  type TextType,
  unmet,
} from "./field-types.js";
import { fieldLabel, type Pointer } from "./labels.js";

/** Reports a mistake at the value that `pointer` names, or at the name of that member. */
export type Report = (
  id: DiagnosticId,
  values: Readonly<Record<string, string | number>>,
  pointer: Pointer,
  at?: "name",
) => void;

/** Where mistakes are reported, and the ids of the inputs that references may name. */
export interface CheckContext {
  readonly report: Report;
  readonly inputIds: readonly string[];
}

/** Reports each deviation of a value from its type. Messages never contain values, which may be secrets. */
export function checkType(type: FieldType, value: unknown, pointer: Pointer, context: CheckContext): void {
  const { report } = context;
  switch (type.kind) {
    case "ignored":
      return;
    case "object":
      if (isObject(value)) checkObject(type, value, pointer, context);
      else reportType(type, value, pointer, report);
      return;
    case "map":
      if (isObject(value)) checkMap(type, value, pointer, context);
      else reportType(type, value, pointer, report);
      return;
    case "list":
      if (Array.isArray(value) && type.notEmpty && value.length === 0)
        reportInvalid(type, ", not an empty one", pointer, report, "Add an item, or remove the field.");
      else if (Array.isArray(value))
        value.forEach((one, at) => checkType(type.item, one, [...pointer, String(at)], context));
      else reportType(type, value, pointer, report);
      return;
    case "either": {
      const fitting = type.types.find((one) => accepts(one, value));
      if (fitting) checkType(fitting, value, pointer, context);
      else reportType(type, value, pointer, report);
      return;
    }
    case "text":
      if (typeof value !== "string") reportType(type, value, pointer, report);
      else checkText(type, value, pointer, context);
      return;
    case "choice":
      if (typeof value !== "string") reportType(type, value, pointer, report);
      else if (!type.values.includes(value))
        reportInvalid(type, `, not ${JSON.stringify(value)}`, pointer, report, suggestion(value, type.values));
      return;
    case "integer":
    case "boolean":
    case "true":
    case "false":
      if (!accepts(type, value)) reportType(type, value, pointer, report);
  }
}

/** Whether the value has the JSON type; of its content, only choices are compared. */
function accepts(type: FieldType, value: unknown): boolean {
  switch (type.kind) {
    case "text":
      return typeof value === "string";
    case "choice":
      return type.values.some((one) => one === value);
    case "integer":
      return Number.isInteger(value) && (value as number) >= type.min && (value as number) <= type.max;
    case "boolean":
      return typeof value === "boolean";
    case "true":
    case "false":
      return value === (type.kind === "true");
    case "list":
      return Array.isArray(value);
    case "map":
    case "object":
      return isObject(value);
    case "either":
      return type.types.some((one) => accepts(one, value));
    case "ignored":
      return true;
  }
}

function checkObject(type: ObjectType, value: Members, pointer: Pointer, context: CheckContext): void {
  const { fields, open } = type;
  const { report } = context;
  for (const [name, one] of Object.entries(value)) {
    const at = [...pointer, name];
    const field = fieldNamed(fields, name);
    const owner = fieldLabel(pointer);
    if (!field) {
      const hint = suggestion(name, fieldNames(fields)) ?? `Its fields are ${fieldNames(fields).join(", ")}.`;
      report(open ? "gateway-field-ignored" : "gateway-field-unknown", { owner, name, hint }, at, "name");
    } else if (field.type.kind === "ignored") {
      if (field.type.hint !== "") report("gateway-field-ignored", { owner, name, hint: field.type.hint }, at, "name");
    } else checkType(field.type, one, at, context);
  }
  // The server has a message of its own.
  for (const { field, reason } of type === serverType ? [] : unmet(type, value))
    report("gateway-field-required", { owner: fieldLabel(pointer), field, reason }, pointer, "name");
  const { atLeastOne } = type;
  if (atLeastOne && !atLeastOne.fields.some((name) => Object.hasOwn(value, name))) {
    const values = { owner: fieldLabel(pointer), field: listOr(atLeastOne.fields), reason: atLeastOne.reason };
    report("gateway-field-required", values, pointer, "name");
  }
  for (const field of fields) {
    const used = [field.name, ...(field.aliases ?? [])].filter((name) => Object.hasOwn(value, name));
    const [first, second] = used;
    if (field.required && first === undefined)
      report("gateway-field-missing", { field: fieldLabel([...pointer, field.name]) }, pointer);
    if (first !== undefined && second !== undefined)
      report(
        "gateway-field-both",
        { field: fieldLabel([...pointer, first]), other: second },
        [...pointer, second],
        "name",
      );
  }
}

function checkMap({ names, value: type }: MapType, value: Members, pointer: Pointer, context: CheckContext): void {
  for (const [name, one] of Object.entries(value)) {
    const at = [...pointer, name];
    const field = `the name ${JSON.stringify(name)} in ${fieldLabel(pointer)}`;
    const values = { field, expected: names.expected, actual: "", hint: "Correct the name." };
    if (!matches(names.pattern, name)) context.report("gateway-field-invalid", values, at, "name");
    checkType(type, one, at, context);
  }
}

function checkText(type: TextType, value: string, pointer: Pointer, { report, inputIds }: CheckContext): void {
  if (type.format && !matches(type.format.pattern, value)) return reportInvalid(type, "", pointer, report);
  if (type.format?.isUrl && !URL.canParse(value))
    return reportInvalid(type, "", pointer, report, "Correct the host or the port.");
  if (!type.references) return;
  const { text, invalid } = readText(value);
  const field = fieldLabel(pointer);
  for (const one of invalid) report("gateway-reference-invalid", { field, ...one }, pointer);
  for (const part of text.parts) {
    if (typeof part === "string" || part.kind !== "input" || inputIds.includes(part.id)) continue;
    const hint = suggestion(part.id, inputIds) ?? 'Declare it: "inputs": [{ "type": "promptString", "id": "…" }]';
    const reference = `\${input:${part.id}}`;
    report("gateway-reference-invalid", { field, reference, reason: "but no input has this id", hint }, pointer);
  }
}

function reportType(type: FieldType, value: unknown, pointer: Pointer, report: Report): void {
  reportInvalid(type, `, not ${actual(value)}`, pointer, report);
}

function reportInvalid(
  type: FieldType,
  found: string,
  pointer: Pointer,
  report: Report,
  hint = "Correct the value.",
): void {
  report(
    "gateway-field-invalid",
    { field: fieldLabel(pointer), expected: describeType(type), actual: found, hint },
    pointer,
  );
}

/** The value without its content; numbers are shown, because limits concern them. */
function actual(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "a string";
  return typeof value === "boolean" ? String(value) : `the number ${JSON.stringify(value)}`;
}

/** Whether the string matches a pattern of the table. */
export function matches(pattern: string, value: string): boolean {
  return new RegExp(pattern, "u").test(value);
}

/** `Did you mean …?`, if a name is close. */
export function suggestion(given: string, names: readonly string[]): string | undefined {
  const other = otherNames[given];
  const near = other !== undefined && names.includes(other) ? other : closestName(given, names);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

function fieldNames(fields: readonly Field[]): readonly string[] {
  return fields.filter(({ type }) => type.kind !== "ignored").map(({ name }) => name);
}

/** Names of fields in other hosts, and ours. */
const otherNames: Readonly<Record<string, string>> = {
  httpUrl: "url",
  serverUrl: "url",
  endpoint: "url",
  arguments: "args",
  environment: "env",
  timeout: "timeoutMs",
  enabled: "disabled",
  includeTools: "tools",
  excludeTools: "tools",
  workingDirectory: "cwd",
  mcp_servers: "mcpServers",
  include: "allow",
  exclude: "deny",
  issuers: "issuer",
  requiredScopes: "scopes",
  jwksUri: "jwks",
  jwks_uri: "jwks",
};

type Members = Readonly<Record<string, unknown>>;
