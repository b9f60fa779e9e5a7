export type { SkillLimits } from "./rules/check-skill.js";
export { checkSkills, type InvalidSkill } from "./client/check-skills.js";
export { locateSkillFile, type LocatedSkillFile } from "./client/locate-file.js";
export type { FileContent } from "./client/read-content.js";
export type { ParseFrontmatter } from "./rules/parse-frontmatter.js";
export { SkillVerificationError, type SkillProblem, type SkillProblemReason } from "./rules/skill-problem.js";
export {
  SkillsClient,
  type SkillCacheHints,
  type SkillListing,
  type SkillsClientLimits,
  type SkillsClientOptions,
} from "./client/skills-client.js";
export { skills } from "./client/skills-extension.js";
export { verifySkillFile, type SkillFile, type VerifySkillFileOptions } from "./client/verify-skill-file.js";
