import type { Skill, SkillResourceEntry } from "@mcpwright/protocol/extensions/skills";
import { checkSkill, defaultSkillLimits, type SkillLimits } from "../rules/check-skill.js";
import { uriOf } from "./check-skills.js";
import { SkillVerificationError } from "../rules/skill-problem.js";
import { pathIn, resolveReference, skillDirectory, uriIn } from "../rules/skill-uri.js";

/** The path of every skill's own file in its directory. */
export const manifestPath = "SKILL.md";

/** Where a file of a skill is. */
export interface LocatedSkillFile {
  /** The URI of the directory of the skill. */
  readonly directory: string;
  /** The path in that directory, such as `references/FORMS.md`. */
  readonly path: string;
  /** The URI with which to read it. */
  readonly uri: string;
  /** What the skill's entry states about it; undefined for a skill whose content is generated. */
  readonly listed?: SkillResourceEntry;
}

/**
 * Finds a file of a skill, without a request. For programs that do not read it with `SkillsClient`.
 * @param reference a path relative to the directory of the skill, or a URI in it. Default: `SKILL.md`
 * @throws SkillVerificationError when the skill is invalid, or does not contain the file
 */
export function locateSkillFile(
  skill: Skill,
  reference: string = manifestPath,
  limits: Partial<SkillLimits> = {},
): LocatedSkillFile {
  const [first, ...rest] = checkSkill(skill, { ...defaultSkillLimits, ...limits });
  if (first) throw new SkillVerificationError(uriOf(skill), [first, ...rest]);
  const directory = skillDirectory(skill.uri) ?? "";
  const path = resolveReference(directory, reference);
  const { resources } = skill;
  if (path !== undefined && resources === "dynamic")
    return { directory, path, uri: path === manifestPath ? skill.uri : uriIn(directory, path) };
  const listed = Array.isArray(resources) ? resources.find(({ uri }) => pathIn(directory, uri) === path) : undefined;
  if (path !== undefined && listed) return { directory, path, uri: listed.uri, listed };
  const message = `${JSON.stringify(reference)} is not a file of the skill`;
  throw new SkillVerificationError(skill.uri, [{ reason: "unlisted", uri: reference, message }]);
}
