/** The characters and lengths that names of tools should have (SEP-986). */
const allowed = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns what is wrong with the name of a tool, and whether it breaks the recommendation. */
export function validateToolName(name: string): { isValid: boolean; warnings: string[] } {
  if (name === "") return { isValid: false, warnings: ["Tool name cannot be empty"] };
  if (name.length > 128)
    return {
      isValid: false,
      warnings: [`Tool name exceeds maximum length of 128 characters (current: ${name.length})`],
    };
  const warnings: string[] = [];
  if (name.includes(" ")) warnings.push("Tool name contains spaces, which may cause parsing issues");
  if (name.includes(",")) warnings.push("Tool name contains commas, which may cause parsing issues");
  for (const [character, word] of [["-", "dash"] as const, [".", "dot"] as const])
    if (name.startsWith(character) || name.endsWith(character))
      warnings.push(`Tool name starts or ends with a ${word}, which may cause parsing issues in some contexts`);
  const isValid = allowed.test(name);
  if (!isValid) {
    const others = [...new Set(name)].filter((character) => !/[A-Za-z0-9._-]/.test(character));
    warnings.push(
      `Tool name contains invalid characters: ${others.map((character) => `"${character}"`).join(", ")}`,
      "Allowed characters are: A-Z, a-z, 0-9, underscore (_), dash (-), and dot (.)",
    );
  }
  return { isValid, warnings };
}

/** Prints warnings about the name of a tool to standard error. */
export function issueToolNameWarning(name: string, warnings: string[]): void {
  if (warnings.length === 0) return;
  const lines = warnings.map((warning) => `\n  - ${warning}`).join("");
  // eslint-disable-next-line no-console -- the official SDK prints them, too
  console.warn(
    `The name of the tool "${name}" breaks the recommendation of SEP-986; it is registered all the same:${lines}`,
  );
}

/** Prints warnings about the name of a tool. Returns whether it keeps the recommendation. */
export function validateAndWarnToolName(name: string): boolean {
  const { isValid, warnings } = validateToolName(name);
  issueToolNameWarning(name, warnings);
  return isValid;
}
