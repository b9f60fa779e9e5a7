// What the packages of servers and clients export of this extension, too.
export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from "./skills.js";
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
} from "./skills.js";
