import type { ListedPrompt, ListedResource, ListedTemplate, ListedTool } from "../../shared/sessions/server-lists.js";
import { escapeControls } from "../../shared/command/escape-controls.js";
import { toolApp } from "@mcpwright/runtime/apps";
import { argumentLine, outputLine } from "./argument-line.js";
import type { Inspection } from "./inspection.js";
import { printLosses } from "./losses/print-losses.js";
import { plainStyles, type TextStyles } from "./text-styles.js";
import { printResult } from "./print-result.js";

/** Prints an inspection as text. Control characters from the server are escaped. */
export function printInspection(inspection: Inspection, paint: TextStyles = plainStyles): string {
  const { result, request } = inspection;
  if (result) return printResult(request ?? {}, result, paint);
  const { tools, resources, resourceTemplates, prompts, instructions, losses } = inspection;
  const sections = [
    head(inspection, paint),
    instructions === undefined ? [] : [paint.strong("Instructions"), ...indented(instructions)],
    section("Tools", tools, (tool) => toolLines(tool, paint), paint),
    section("Resources", resources, (resource) => resourceLines(resource, paint), paint),
    section("Resource templates", resourceTemplates, (template) => templateLines(template, paint), paint),
    section("Prompts", prompts, (prompt) => promptLines(prompt, paint), paint),
    ...(losses ? printLosses(losses, paint) : []),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function head({ server, era, revision, transport, capabilities }: Inspection, paint: TextStyles): readonly string[] {
  const { name = "a server without a name", version = "", title } = (server ?? {}) as Record<string, string>;
  const opening = era === "handshake" ? "opens with a handshake" : "each request stands alone";
  const offered = Object.entries(capabilities).map(([capability, value]) => {
    const details = typeof value === "object" && value !== null ? Object.keys(value) : [];
    return details.length === 0 ? capability : `${capability} (${details.join(", ")})`;
  });
  return [
    `${paint.strong(escapeControls(name))} ${escapeControls(version)}${title === undefined || title === name ? "" : ` - ${escapeControls(title)}`}`,
    `  speaks ${escapeControls(revision)} over ${transport === "stdio" ? "stdio" : "HTTP"}; ${opening}`,
    `  offers ${offered.length === 0 ? "nothing" : escapeControls(offered.join(", "))}`,
  ];
}

function section<T>(
  heading: string,
  items: readonly T[] | undefined,
  lines: (item: T) => readonly string[],
  paint: TextStyles,
): readonly string[] {
  if (!items) return [];
  return [paint.strong(`${heading} (${items.length})`), ...items.flatMap(lines)];
}

function toolLines(
  { name, title, description, annotations, inputSchema, outputSchema, _meta }: ListedTool,
  paint: TextStyles,
): readonly string[] {
  const hints = Object.entries({
    "read-only": annotations?.readOnlyHint,
    destructive: annotations?.destructiveHint,
    idempotent: annotations?.idempotentHint,
    "open world": annotations?.openWorldHint,
  })
    .filter(([, value]) => value !== undefined)
    .map(([hint, value]) => (value === true ? hint : `not ${hint}`));
  const about = hints.length === 0 ? "" : ` [${hints.join(", ")}]`;
  const { resourceUri, isForModel } = toolApp({ _meta });
  const app = [
    ...(resourceUri === undefined ? [] : [`app ${paint.name(escapeControls(resourceUri))}`]),
    ...(isForModel ? [] : ["only for apps"]),
  ];
  const output = outputLine(outputSchema);
  return [
    `  ${paint.name(escapeControls(name))}${named(title ?? annotations?.title)}${about}`,
    ...indented(description, 4),
    ...(app.length === 0 ? [] : [`    ${app.join(", ")}`]),
    `    ${paint.faint(`(${escapeControls(argumentLine(inputSchema))})${output === undefined ? "" : ` -> ${escapeControls(output)}`}`)}`,
  ];
}

function resourceLines(
  { uri, name, title, description, mimeType }: ListedResource,
  paint: TextStyles,
): readonly string[] {
  const type = mimeType === undefined ? "" : ` (${escapeControls(mimeType)})`;
  return [`  ${paint.name(escapeControls(uri))}${named(title ?? name)}${type}`, ...indented(description, 4)];
}

function templateLines(template: ListedTemplate, paint: TextStyles): readonly string[] {
  const { uriTemplate, ...rest } = template;
  return resourceLines({ ...rest, uri: uriTemplate }, paint);
}

function promptLines(
  { name, title, description, arguments: args = [] }: ListedPrompt,
  paint: TextStyles,
): readonly string[] {
  const listed = args.map((one) => `${one.name}${one.required === true ? "" : "?"}`).join(", ");
  return [
    `  ${paint.name(escapeControls(name))}${named(title)}`,
    ...indented(description, 4),
    `    ${paint.faint(`(${escapeControls(listed)})`)}`,
  ];
}

function named(title: string | undefined): string {
  return title === undefined ? "" : ` - ${escapeControls(title)}`;
}

function indented(text: string | undefined, by = 2): readonly string[] {
  if (text === undefined || text.trim() === "") return [];
  return escapeControls(text.trim())
    .split("\n")
    .map((line) => `${" ".repeat(by)}${line}`.trimEnd());
}
