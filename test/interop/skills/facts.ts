/** The skills of all servers here. */
const gitWorkflow = `---
name: git-workflow
description: How this team uses Git
license: MIT
metadata:
  version: "2.1"
---
# Git

See [branches](references/BRANCHES.md).
`;

const refunds = `---
name: refunds
description: Handle refunds
---
Ask first.
`;

/** By path below the folder of skills. */
export const files: Record<string, string | Uint8Array> = {
  "git-workflow/SKILL.md": gitWorkflow,
  "git-workflow/references/BRANCHES.md": "# Branches\n\nOne for each change – at most.\n",
  "git-workflow/assets/logo.bin": new Uint8Array([0, 1, 2, 0xff]),
  "refunds/SKILL.md": refunds,
};

/** What all URIs begin with, after `skill://`. */
export const prefix = "acme";

export const skillUris = {
  gitWorkflow: "skill://acme/git-workflow/SKILL.md",
  refunds: "skill://acme/refunds/SKILL.md",
} as const;

export const frontmatter = {
  name: "git-workflow",
  description: "How this team uses Git",
  license: "MIT",
  metadata: { version: "2.1" },
};
