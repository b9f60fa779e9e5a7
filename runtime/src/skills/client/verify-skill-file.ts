import type { Skill } from "@mcpwright/protocol/extensions/skills";
import { defaultSkillLimits, type SkillLimits } from "../rules/check-skill.js";
import { SkillVerificationError } from "../rules/skill-problem.js";
import { pathIn } from "../rules/skill-uri.js";
import { type LocatedSkillFile, manifestPath } from "./locate-file.js";
import { type FileContent, readContent } from "./read-content.js";
import type { ParseFrontmatter } from "../rules/parse-frontmatter.js";
import { readManifest } from "./read-manifest.js";

/** A file of a skill, which was read and verified. */
export interface SkillFile {
  /** The URI with which it was read. */
  readonly uri: string;
  /** The path in the directory of the skill, such as `references/FORMS.md`. */
  readonly path: string;
  readonly mimeType?: string;
  readonly bytes: Uint8Array;
  /** If the server sent text, and always for `SKILL.md`. */
  readonly text?: string;
  /** Whether size and digest were compared with those of the entry: false only for skills whose content is generated. */
  readonly verified: boolean;
  /** Only for `SKILL.md`: its YAML, which equals the frontmatter of the entry. */
  readonly frontmatter?: Readonly<Record<string, unknown>>;
  /** Only for `SKILL.md`: the Markdown after the YAML. */
  readonly body?: string;
}

export interface VerifySkillFileOptions {
  readonly parseFrontmatter: ParseFrontmatter;
  readonly limits?: Partial<SkillLimits>;
}

/**
 * Verifies a file of a skill, whose content a program has read without `SkillsClient` or has kept: size and digest must be those of the
 * entry, and the YAML of `SKILL.md` must equal its frontmatter (SEP-2640, integrity and verification).
 * @param file from `locateSkillFile`
 * @param contents the member of a result of `resources/read`
 * @example
 * ```ts
 * const file = locateSkillFile(skill, "references/FORMS.md");
 * const { contents } = await client.readResource({ uri: file.uri });
 * const { text } = await verifySkillFile(skill, file, contents, { parseFrontmatter: parse });
 * ```
 * @throws SkillVerificationError when a check fails
 */
export async function verifySkillFile(
  skill: Skill,
  { directory, path, uri, listed }: LocatedSkillFile,
  contents: readonly FileContent[],
  { parseFrontmatter, limits }: VerifySkillFileOptions,
): Promise<SkillFile> {
  const content = contents.find((one) => pathIn(directory, one.uri) === path);
  const message = `the response to the request for ${uri} does not contain it`;
  const read = content
    ? await readContent({ ...content, uri }, listed, limits?.bytes ?? defaultSkillLimits.bytes)
    : { problem: { reason: "content", uri, expected: uri, message } as const };
  if ("problem" in read) throw new SkillVerificationError(skill.uri, [read.problem]);
  const { mimeType, text } = content ?? {};
  return {
    uri,
    path,
    ...(mimeType !== undefined && { mimeType }),
    ...(text !== undefined && { text }),
    bytes: read.bytes,
    verified: listed !== undefined,
    ...(path === manifestPath && readManifest(skill, read.bytes, parseFrontmatter)),
  };
}
