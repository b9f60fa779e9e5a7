import { UriTemplate } from "@mcpwright/runtime/client";
import { diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { binding, code, docComment, join, key, literal, nothing, typeName } from "../../shared/code/code.js";
import type { ListedTemplate } from "../../shared/sessions/server-lists.js";
import { type ModuleNames, pascalCase } from "./module-names.js";
import type { PrintedPart } from "./print-tool.js";

/** Prints a resource template: the type of its variables, and a function that reads the resource. */
export function printTemplate(template: ListedTemplate, names: ModuleNames): PrintedPart {
  const { uriTemplate, name, title, description, mimeType } = template;
  let variables: readonly Variable[];
  try {
    variables = new UriTemplate(uriTemplate).variableNames.map((one) => variableOf(one, uriTemplate));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const findings = [diagnostic("bind-template-unused", { template: uriTemplate, reason })];
    return { text: nothing, schemas: [], findings };
  }
  const taken = names.take(pascalCase(name, "resource"), (stem) => ({ read: `read${stem}`, type: `${stem}Variables` }));
  const members = variables.map(
    ({ name: one, isOptional, isList }) =>
      code`${key(one)}${isOptional ? code`?` : nothing}: string${isList ? code` | readonly string[]` : nothing};\n`,
  );
  const isOptional = variables.every((one) => one.isOptional);
  const heading = `${title ?? name} (${uriTemplate}${mimeType === undefined ? "" : `, ${mimeType}`})`;
  const text = code`${docComment({ text: `The variables of ${uriTemplate}` })}export interface ${typeName(taken.type)} {
${join(members, "")}}

${docComment({ text: description === undefined ? heading : `${heading}\n\n${description.trim()}` })}export function ${binding(taken.read)}(client: Client, variables: ${typeName(taken.type)}${isOptional ? code` = {}` : nothing}, options?: SendOptions): Promise<ResourceResult> {
  return client.readResource({ uri: new UriTemplate(${literal(uriTemplate)}).expand({ ...variables }) }, options);
}
`;
  return { text, schemas: [], findings: [] };
}

interface Variable {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isList: boolean;
}

/** Variables that expand to nothing, such as those of queries, are optional (RFC 6570, section 3.2). */
function variableOf(name: string, template: string): Variable {
  const uses = [...template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)].flatMap(([, operator = "", list = ""]) =>
    list
      .split(",")
      .filter((one) => one.replace(/\*$|:\d+$/, "") === name)
      .map((one) => ({ operator, isList: one.endsWith("*") })),
  );
  return {
    name,
    isOptional: uses.length > 0 && uses.every(({ operator }) => /[#./;?&]/.test(operator)),
    isList: uses.some(({ isList }) => isList),
  };
}
