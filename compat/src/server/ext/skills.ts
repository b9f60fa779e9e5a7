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
export { SkillCatalogError } from "./skills/catalog-error.js";
export { memorySkillFiles } from "./skills/memory-skill-files.js";
export { skillEntry } from "./skills/skill-entry.js";
export { SkillCatalog, SkillsExtension } from "./skills/skills-extension.js";
export type {
  SkillCatalogChanges,
  SkillCatalogOptions,
  SkillFileEntry,
  SkillFiles,
  SkillReadResult,
  SkillSource,
  SkillSourceOptions,
  SkillsOptions,
  SkillWarning,
} from "./skills/options.js";
