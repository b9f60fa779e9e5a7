import type { ELICITATION_CREATE } from "@mcpwright/protocol/names";
import type { ServerRequestMap } from "@mcpwright/runtime/client";
import type { AskUser } from "./terminal.js";
import { escapeLine } from "../command/escape-controls.js";
import { rangeText } from "./range-text.js";

type Answer = ServerRequestMap[typeof ELICITATION_CREATE]["result"];
type Value = string | number | boolean | string[];
type Field = Readonly<Record<string, unknown>>;

/** The fields of a form by name. */
export function fieldsOf(schema: unknown): Readonly<Record<string, Field>> {
  const { properties } = schema as { properties?: Record<string, Field> };
  return properties ?? {};
}

/** Asks for the fields of a form one by one, and repeats the question after an invalid value. */
export async function askForm(schema: unknown, ask: AskUser, tell: (line: string) => void): Promise<Answer> {
  const { required = [] } = schema as { required?: readonly string[] };
  const content = new Map<string, Value>();
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    const isRequired = required.includes(name);
    for (let isOpen = true; isOpen;) {
      const typed = (await ask(prompt(name, field, isRequired)))?.trim();
      if (typed === undefined) return { action: "cancel" };
      const value = typed === "" ? undefined : read(field, typed);
      // The client fills in the defaults of omitted fields.
      if (typed === "" && (!isRequired || field["default"] !== undefined)) isOpen = false;
      else if (value === undefined) tell(`invalid value, expected ${expected(field)}; press Ctrl-D to cancel`);
      else {
        content.set(name, value);
        isOpen = false;
      }
    }
  }
  const sent = await ask("Send this? yes, no or cancel [yes]: ");
  if (sent === undefined || /^c/i.test(sent.trim())) return { action: "cancel" };
  return /^n/i.test(sent.trim()) ? { action: "decline" } : { action: "accept", content: Object.fromEntries(content) };
}

function prompt(name: string, field: Field, isRequired: boolean): string {
  const { title, description } = field;
  const preset = field["default"] === undefined ? (isRequired ? "" : " [omit]") : ` [${text(field["default"])}]`;
  const about = typeof description === "string" ? ` - ${escapeLine(description)}` : "";
  return `${escapeLine(typeof title === "string" ? title : name)}${about} (${expected(field)})${preset}: `;
}

function expected(field: Field): string {
  const choices = choicesOf(field);
  const many = field["type"] === "array";
  if (choices) return `${many ? "one or more, separated by commas, of" : "one of"} ${choices.map(text).join(", ")}`;
  const format = typeof field["format"] === "string" ? ` (${escapeLine(field["format"])})` : "";
  return `${many ? "list" : text(field["type"])}${rangeText(field)}${format}`;
}

/** Converts the input to the field's type; undefined when it is invalid. */
function read(field: Field, typed: string): Value | undefined {
  const choices = choicesOf(field);
  const number = Number(typed);
  switch (field["type"]) {
    case "boolean":
      return /^(true|yes|y)$/i.test(typed) ? true : /^(false|no|n)$/i.test(typed) ? false : undefined;
    case "integer":
      return Number.isSafeInteger(number) && inRange(field, number) ? number : undefined;
    case "number":
      return Number.isFinite(number) && inRange(field, number) ? number : undefined;
    case "array": {
      const items = typed.split(",").map((item) => item.trim());
      return !choices || items.every((item) => choices.includes(item)) ? items : undefined;
    }
    default:
      return !choices || choices.includes(typed) ? typed : undefined;
  }
}

function inRange({ minimum, maximum }: Field, value: number): boolean {
  return !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum);
}

function choicesOf(field: Field): readonly unknown[] | undefined {
  const { enum: values, oneOf, anyOf } = (field["type"] === "array" ? field["items"] : field) as Field;
  if (Array.isArray(values)) return values as readonly unknown[];
  const titled = oneOf ?? anyOf;
  return Array.isArray(titled) ? (titled as readonly Field[]).map((choice) => choice["const"]) : undefined;
}

function text(value: unknown): string {
  return escapeLine(typeof value === "string" ? value : JSON.stringify(value));
}
