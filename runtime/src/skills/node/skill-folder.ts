import { SkillCatalog, type SkillCatalogOptions } from "../../skills.js";
import { folderSkillFiles } from "./folder-skill-files.js";

/**
 * Loads the skills in a folder: every folder below it with a `SKILL.md`.
 * @param folder the folder that contains the skills; a relative path is relative to the working directory of the process
 * @example
 * ```ts
 * import { parse } from "yaml";
 *
 * const catalog = await skillFolder(new URL("../skills/", import.meta.url), { parseFrontmatter: parse });
 * const server = new McpServer({ name: "team", version: "1.0.0" }, { extensions: [skills(catalog)] });
 * ```
 * @throws SkillCatalogError when a skill cannot be served, unless `onerror` is set; SdkError `INVALID_CONFIGURATION` when the folder
 *   cannot be read, or an option is invalid
 */
export function skillFolder(folder: string | URL, options: SkillCatalogOptions): Promise<SkillCatalog> {
  return SkillCatalog.load(folderSkillFiles(folder), options);
}
