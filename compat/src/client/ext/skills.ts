export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from "../../core/ext/skills.js";
export type {
  DirectoryResource,
  GetSkillResult,
  ListSkillsResult,
  ReadResourceDirectoryResult,
  Skill,
  SkillCacheScope,
  SkillFrontmatter,
  SkillResourceEntry,
  SkillResources,
  SkillsCapability,
} from "../../core/ext/skills.js";
export type { InvalidSkillEntry } from "./skill-entries.js";
export { SkillVerificationError } from "./skill-verification-error.js";
export type { SkillVerificationReason } from "./skill-verification-error.js";
export { SkillsClient } from "./skills-client.js";
export type { SkillFile, SkillListing, SkillsClientOptions } from "./skills-client.js";
