export * from "../../core/ext/skill-names.js";
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
