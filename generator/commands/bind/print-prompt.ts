import { binding, code, docComment, join, key, literal, nothing, typeName, type Code } from "../../shared/code/code.js";
import type { ListedPrompt } from "../../shared/sessions/server-lists.js";
import { camelCase, type ModuleNames, pascalCase } from "./module-names.js";

/** Prints a prompt: the type of its arguments, and a function that requests it. */
export function printPrompt(prompt: ListedPrompt, names: ModuleNames): Code {
  const { name, title, description, arguments: args = [] } = prompt;
  const taken = names.take(camelCase(name, "prompt"), (stem) => ({
    get: /prompt$/i.test(stem) ? stem : `${stem}Prompt`,
    type: `${pascalCase(stem, "prompt")}Arguments`,
  }));
  const members = args.map(
    (one) =>
      code`${docComment({ text: one.description })}${key(one.name)}${one.required === true ? nothing : code`?`}: string;\n`,
  );
  const type = code`${docComment({ text: `The arguments of the prompt ${JSON.stringify(name)}.` })}export interface ${typeName(taken.type)} {
${join(members, "")}}

`;
  const isOptional = args.every(({ required }) => required !== true);
  const given = code`args: ${typeName(taken.type)}${isOptional ? code` = {}` : nothing}, `;
  const heading =
    title === undefined ? `Gets the prompt ${JSON.stringify(name)}.` : `${title} (prompt ${JSON.stringify(name)})`;
  const text = description === undefined ? heading : `${heading}\n\n${description.trim()}`;
  const sent = args.length === 0 ? nothing : code`, arguments: { ...args } as Record<string, string>`;
  return code`${args.length === 0 ? nothing : type}${docComment({ text })}export function ${binding(taken.get)}(client: Client, ${args.length === 0 ? nothing : given}options?: SendOptions): Promise<PromptResult> {
  return client.getPrompt({ name: ${literal(name)}${sent} }, options);
}
`;
}
