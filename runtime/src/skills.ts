export type { SkillLimits } from "./skills/rules/check-skill.js";
export { memorySkillFiles } from "./skills/server/memory-skill-files.js";
export type { ParseFrontmatter } from "./skills/rules/parse-frontmatter.js";
export { SkillCatalog, type SkillCatalogOptions } from "./skills/server/skill-catalog.js";
export {
  SkillCatalogError,
  type SkillFile,
  type SkillFileProblem,
  type SkillFiles,
} from "./skills/server/skill-files.js";
export type { SkillChanges, SkillFileContent, SkillSource } from "./skills/server/skill-source.js";
export { skills, type ServerSkillsOptions } from "./skills/server/skills-extension.js";
