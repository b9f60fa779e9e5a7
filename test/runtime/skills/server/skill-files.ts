import { parse } from "yaml";
import { memorySkillFiles, SkillCatalog, type SkillCatalogOptions } from "../../../../runtime/src/skills.js";

/** The text of a `SKILL.md`. */
export function manifest(name: string, further = ""): string {
  return `---\nname: ${name}\ndescription: Describes ${name}\n${further}---\n# ${name}\n`;
}

/** A skill with a directory, and two that are nested in others. */
export const someFiles: Readonly<Record<string, string | Uint8Array>> = {
  "git-workflow/SKILL.md": manifest("git-workflow", "metadata:\n  version: 2.1.0\n"),
  "git-workflow/references/FORMS.md": "# Forms\n",
  "git-workflow/references/deep/more.md": "More\n",
  "git-workflow/logo.png": new Uint8Array([0x89, 0x50, 0xff, 0x00]),
  "acme/billing/refunds/SKILL.md": manifest("refunds"),
  "acme/billing/refunds/partial/SKILL.md": manifest("partial"),
  "acme/README.md": "Not part of a skill",
};

export function load(
  files: Record<string, string | Uint8Array> = { ...someFiles },
  options: Partial<SkillCatalogOptions> = {},
): Promise<SkillCatalog> {
  return SkillCatalog.load(memorySkillFiles(files), {
    parseFrontmatter: parse as (yaml: string) => unknown,
    ...options,
  });
}

/** The problems of a catalog that cannot be loaded. */
export async function problemsOf(
  files: Record<string, string | Uint8Array>,
  options?: Partial<SkillCatalogOptions>,
): Promise<readonly string[]> {
  const error: unknown = await load(files, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error instanceof Error ? error.message : "")
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
}
