/** The instructions of one server. */
export interface ServerInstructions {
  readonly name: string;
  /** How the names of its tools begin (`NameScheme.prefixOf`); absent if there is no prefix. */
  readonly prefix?: string | undefined;
  readonly instructions: string | undefined;
}

/**
 * Joins instructions to one text for the model: those of the gateway first, then those of each server that has some, in an element
 * with its name and the prefix of its tools. Those of a single server without prefix have no element. Undefined if there are none at
 * all. Instructions cannot end their element, or begin that of another server: `<server` and `</server` get `&lt;`.
 */
export function joinInstructions(own: string | undefined, servers: readonly ServerInstructions[]): string | undefined {
  const [only] = servers;
  if (servers.length === 1 && only && !only.prefix) return joinParts([own, only.instructions]);
  const given = servers.flatMap(({ name, prefix, instructions }) => {
    const text = instructions?.trim();
    if (!text) return [];
    const tools = prefix ? ` tools="${attribute(prefix)}*"` : "";
    const safe = text.replace(/<(?=\/?server)/gi, "&lt;");
    return `<server name="${attribute(name)}"${tools}>\n${safe}\n</server>`;
  });
  const intro =
    "These tools, prompts and resources come from several servers. Each part below has the instructions of one server, and applies to that server alone.";
  return joinParts([own, ...(given.length > 0 ? [intro, ...given] : [])]);
}

function joinParts(parts: readonly (string | undefined)[]): string | undefined {
  const texts = parts.filter((part) => part?.trim());
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}

function attribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
