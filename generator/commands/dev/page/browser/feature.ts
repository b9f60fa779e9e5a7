import type { FormField } from "../form/form-field.js";
import type { Listed, PageRequest } from "../page-data.js";

/** A listed tool, prompt or resource, as the page shows it. */
export interface Feature {
  /** Identifies it in its list. */
  readonly key: string;
  /** What the server sent, to find changes. */
  readonly source: string;
  readonly title: string;
  readonly about: string;
  readonly badges: readonly string[];
  /** The schema of the arguments, or their fields. */
  readonly schema?: unknown;
  readonly fields?: readonly FormField[];
  /** The text of its button. */
  readonly action: string;
  readonly request: Omit<PageRequest, "id" | "arguments">;
}

export function toolFeature(tool: Listed): Feature {
  const name = textOf(tool["name"]);
  const { annotations, inputSchema } = tool;
  const { title } = membersOf(annotations);
  return {
    ...commonParts("tool", name, tool),
    ...(tool["title"] === undefined && typeof title === "string" && { title: `${name} · ${title}` }),
    badges: badgesOf(membersOf(annotations)),
    schema: inputSchema,
    action: "Call",
    request: { kind: "tool", name },
  };
}

export function promptFeature(prompt: Listed): Feature {
  const name = textOf(prompt["name"]);
  const { arguments: args } = prompt;
  const fields = (Array.isArray(args) ? args : []).map(membersOf).map((argument) => ({
    ...textField(textOf(argument["name"]), argument["required"] === true, argument["description"]),
    ...(typeof argument["title"] === "string" && { title: argument["title"] }),
  }));
  return { ...commonParts("prompt", name, prompt), fields, action: "Get", request: { kind: "prompt", name } };
}

export function resourceFeature(resource: Listed): Feature {
  const uri = textOf(resource["uri"]);
  return { ...commonParts("resource", uri, resource), ...readParts(uri, "") };
}

export function templateFeature(template: Listed): Feature {
  const uri = textOf(template["uriTemplate"]);
  return {
    ...commonParts("template", uri, template),
    ...readParts(uri, "Replace the parts in braces."),
    badges: ["template"],
  };
}

function commonParts(kind: string, key: string, item: Listed): Omit<Feature, "action" | "request"> {
  const { name, title, description } = item;
  const named = kind === "resource" || kind === "template" ? [textOf(title ?? name), key] : [key, title];
  return {
    key: `${kind} ${key}`,
    source: JSON.stringify(item),
    title: named.filter((part) => typeof part === "string" && part !== "").join(" · "),
    about: typeof description === "string" ? description : "",
    badges: [],
  };
}

function readParts(uri: string, hint: string): Pick<Feature, "fields" | "action" | "request"> {
  const field = { ...textField("uri", true, hint), title: "URI", default: uri };
  return { fields: [field], action: "Read", request: { kind: "resource", name: uri } };
}

function textField(name: string, isRequired: boolean, description: unknown): FormField {
  return {
    path: [name],
    title: name,
    isRequired,
    isNullable: false,
    kind: "text",
    isLong: true,
    ...(typeof description === "string" && description !== "" && { description }),
  };
}

function badgesOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Listed): readonly string[] {
  return [
    readOnlyHint === true && "read-only",
    destructiveHint === true && readOnlyHint !== true && "destructive",
    idempotentHint === true && "idempotent",
    openWorldHint === true && "open world",
  ].filter((badge) => badge !== false);
}

function membersOf(value: unknown): Listed {
  return typeof value === "object" && value !== null ? (value as Listed) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
