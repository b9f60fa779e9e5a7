import { join as joinPath } from "node:path";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { code, join, nothing, type Code } from "../../shared/code/code.js";
import { format } from "../../pipeline/format/format.js";
import { packageRoot } from "../../shared/package-root.js";
import { createRenderer } from "../../pipeline/render/render.js";
import { helperNames } from "../../shared/schema-code/validator-helpers.js";
import { printValidators } from "../../shared/schema-code/print-validators.js";
import type { ServerLists } from "../../shared/sessions/server-lists.js";
import type { BoundExtension } from "./bound-extensions.js";
import { printExtensions } from "./print-extensions.js";
import { createNames } from "./module-names.js";
import { printListing } from "./server-listing.js";
import { printPrompt } from "./print-prompt.js";
import { printResources } from "./print-resources.js";
import { printTemplate } from "./print-template.js";
import { printTool } from "./print-tool.js";

export interface PrintedClient {
  readonly text: string;
  readonly findings: readonly Diagnostic[];
}

/** Names that the file declares or imports, and globals that it uses. */
const own =
  "Client CallToolOptions SendOptions SdkError UriTemplate ToolResult ToolError PromptResult ResourceResult ValidationIssue callTool structured resources extensions Array Awaited Error JSON Number Object Promise ReadonlyArray Readonly Record RegExp ReturnType Set String globalThis";

/** Prints the client of a server. The order of the server's lists does not matter. */
export async function printClient(
  lists: ServerLists,
  extensions: readonly BoundExtension[] = [],
): Promise<PrintedClient> {
  const extensionNames = extensions.flatMap(({ name }) => [name, `${name}Extension`]);
  const names = createNames([...own.split(" "), ...extensionNames, ...helperNames]);
  const tools = sorted(lists.tools ?? [], ({ name }) => name);
  const prompts = sorted(lists.prompts ?? [], ({ name }) => name);
  const templates = sorted(lists.resourceTemplates ?? [], ({ uriTemplate }) => uriTemplate);
  const resources = sorted(lists.resources ?? [], ({ uri }) => uri);
  const printed = [];
  for (const tool of tools) printed.push(await printTool(tool, names));
  const promptTexts = prompts.map((prompt) => printPrompt(prompt, names));
  const templateParts = templates.map((template) => printTemplate(template, names));
  const resourceText = printResources(resources);
  const schemas = printed.flatMap((part) => part.schemas);
  const outputs = printed.some(({ text }) => text.includes("structured("));
  const types = new Set(schemas.map(({ name }) => name));
  const taken = names.all().filter((name) => !types.has(name));
  const validators = printValidators(schemas, { patterns: "ignore", taken }).text;
  const readable = templateParts.filter(({ text }) => text !== nothing);
  const parts = [...printed, ...readable].map((part) => part.text);
  const all = [...parts.slice(0, printed.length), ...promptTexts, ...parts.slice(printed.length), resourceText];
  const render = await createRenderer(joinPath(packageRoot().folder, "templates"));
  const text = render("bind/client.ts", {
    imports: importsOf({
      tools: printed.length > 0,
      functions: promptTexts.length + readable.length > 0,
      outputs,
      templates: readable.length > 0,
    }),
    extensions: printExtensions(extensions),
    hasTools: tools.length > 0,
    hasOutputs: outputs,
    hasPrompts: prompts.length > 0,
    hasTemplates: readable.length > 0,
    parts: extensions.length === 0 && all.every((part) => part === nothing) ? code`export {};` : join(all, "\n"),
    validators,
    facts: printListing({ tools, prompts, resourceTemplates: templates, resources }),
  });
  const findings = [...printed, ...templateParts].flatMap((part) => part.findings);
  return { text: await format("client.ts", text), findings };
}

function importsOf(uses: {
  readonly tools: boolean;
  readonly functions: boolean;
  readonly outputs: boolean;
  readonly templates: boolean;
}): Code {
  const types = [
    ...(uses.tools ? [code`CallToolOptions`] : []),
    code`Client`,
    ...(uses.functions ? [code`SendOptions`] : []),
  ];
  const lines = [
    ...(types.length > 1 ? [code`import type { ${join(types, ", ")} } from "@mcpwright/runtime/client/core";`] : []),
    ...(uses.templates ? [code`import { UriTemplate } from "@mcpwright/runtime/client";`] : []),
    ...(uses.outputs ? [code`import { SdkError } from "@mcpwright/runtime/errors";`] : []),
  ];
  return join(lines, "\n");
}

/** Sorts by code units, so that the order is the same everywhere, and removes duplicates. */
function sorted<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
