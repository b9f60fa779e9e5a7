export type { SkillLimits } from "./rules/check-skill.js";
export type { InvalidSkill } from "./client/check-skills.js";
export type { ParseFrontmatter } from "./client/read-manifest.js";
export { SkillVerificationError, type SkillProblem, type SkillProblemReason } from "./rules/skill-problem.js";
export {
  SkillsClient,
  type SkillCacheHints,
  type SkillFile,
  type SkillListing,
  type SkillsClientLimits,
  type SkillsClientOptions,
} from "./client/skills-client.js";
export { skills } from "./client/skills-extension.js";
