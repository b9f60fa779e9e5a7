/** The two parts of a `SKILL.md`. */
export interface SkillFileParts {
  /** What is between the first two lines that are `---`, with LF at the ends of its lines. */
  readonly yaml: string;
  /** What is after these lines. */
  readonly body: string;
}

/**
 * Splits the text of a `SKILL.md` into its YAML and its Markdown. It may begin with a byte order mark.
 * @returns undefined if the text does not begin with frontmatter
 */
export function splitSkillFile(text: string): SkillFileParts | undefined {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const yamlStart = endOfLine(text, start);
  if (!isFence(text, start, yamlStart)) return undefined;
  for (let at = yamlStart, end; at < text.length; at = end) {
    end = endOfLine(text, at);
    if (isFence(text, at, end))
      return { yaml: text.slice(yamlStart, at).replaceAll("\r\n", "\n"), body: text.slice(end) };
  }
  return undefined;
}

/** Whether a line is `---`. */
function isFence(text: string, at: number, end: number): boolean {
  return text.startsWith("---", at) && /^---[\t ]*\r?\n?$/.test(text.slice(at, end));
}

/** Returns the index after the line that contains `at`. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
