import { compareFrontmatter } from "./compare-frontmatter.js";
import type { ParseFrontmatter } from "../rules/parse-frontmatter.js";
import { SkillVerificationError } from "../rules/skill-problem.js";
import { splitSkillFile } from "../rules/split-skill-file.js";

/** The content of a `SKILL.md`. */
export interface SkillManifest {
  readonly text: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The Markdown after the frontmatter. */
  readonly body: string;
}

/**
 * Reads a `SKILL.md` whose bytes are verified, and compares its frontmatter with that of the skill's entry (SEP-2640, integrity and
 * verification).
 * @throws SkillVerificationError when it cannot be read, or differs
 */
export function readManifest(
  { uri, frontmatter: expected }: { readonly uri: string; readonly frontmatter: object },
  bytes: Uint8Array,
  parse: ParseFrontmatter,
): SkillManifest {
  const fail = (message: string, cause?: unknown): SkillVerificationError =>
    new SkillVerificationError(uri, [{ reason: "frontmatter", uri, message: `${uri} ${message}` }], { cause });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw fail("is not UTF-8", error);
  }
  const parts = splitSkillFile(text);
  if (!parts) throw fail("does not begin with YAML between two lines that are ---");
  let frontmatter: unknown;
  try {
    frontmatter = parse(parts.yaml);
  } catch (error) {
    throw fail(`has YAML that cannot be parsed: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  const [first, ...rest] = compareFrontmatter(uri, expected, frontmatter);
  if (first) throw new SkillVerificationError(uri, [first, ...rest]);
  return { text, frontmatter: frontmatter as Readonly<Record<string, unknown>>, body: parts.body };
}
