import { memorySkillFiles, SkillCatalog } from "@mcpwright/runtime/skills";
import { parse } from "yaml";

const files = {
  "release-notes/SKILL.md": `---
name: release-notes
description: Writes the notes of a release. Use it when a version is published.
metadata:
  version: 1.2.0
---
# Release notes

Group the changes as in references/groups.md, and fill templates/short.md.
`,
  "release-notes/references/groups.md": "# Groups\n\nAdded, changed, fixed.\n",
  "release-notes/templates/short.md": "# {version}\n\n{changes}\n",
  "team/reviews/review-code/SKILL.md": `---
name: review-code
description: Reviews a change of code as this team does.
---
# Review code
`,
} as const;

/** The skills of the fixture server, on two pages. */
export function fixtureSkills(): Promise<SkillCatalog> {
  return SkillCatalog.load(memorySkillFiles(files), {
    parseFrontmatter: parse as (yaml: string) => unknown,
    pageSize: 1,
  });
}
