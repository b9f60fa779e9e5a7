import { code, docComment, join, key, literal, nothing, type Code } from "../../shared/code/code.js";
import type { ListedResource } from "../../shared/sessions/server-lists.js";
import { camelCase, createNames } from "./module-names.js";

/** Prints the URIs of all resources as one constant. */
export function printResources(resources: readonly ListedResource[]): Code {
  if (resources.length === 0) return nothing;
  const names = createNames(["__proto__"]);
  const members = resources.map(({ uri, name, title, description, mimeType }) => {
    const { member } = names.take(camelCase(name, "resource"), (stem) => ({ member: stem }));
    const heading = `${title ?? name}${mimeType === undefined ? "" : ` (${mimeType})`}`;
    const text = description === undefined ? heading : `${heading}\n\n${description.trim()}`;
    return code`${docComment({ text })}${key(member)}: ${literal(uri)},\n`;
  });
  return code`/** URIs of the resources that the server lists, by name; pass them to \`client.readResource\`. */
export const resources = {
${join(members, "")}} as const;
`;
}
