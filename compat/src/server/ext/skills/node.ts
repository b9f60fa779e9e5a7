import { nodeSkillFiles } from "./node-skill-files.js";
import type { SkillCatalogOptions } from "./options.js";
import { SkillCatalog } from "./skills-extension.js";

export { nodeSkillFiles };

/**
 * Loads the skills in a folder: every folder below it with a `SKILL.md`.
 * @example
 * ```ts
 * const catalog = await loadSkills("./skills");
 * catalog.attach(server);
 * ```
 * @throws as `SkillCatalog.load`
 */
export function loadSkills(root: string, options?: SkillCatalogOptions): Promise<SkillCatalog> {
  return SkillCatalog.load(nodeSkillFiles(root), options);
}
