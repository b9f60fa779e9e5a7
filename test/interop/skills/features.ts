import { errorOf, expect, same } from "../feature.js";
import type { LogInFeature } from "../log-in/outcomes.js";
import { files, frontmatter, skillUris } from "./facts.js";

interface Entry {
  readonly uri: string;
  readonly frontmatter: object;
  readonly resources: "dynamic" | readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

interface ReadFile {
  readonly bytes: Uint8Array;
  readonly text?: string;
  readonly verified: boolean;
  readonly frontmatter?: object;
}

/** The members of a reader of skills that ours and the official one both have. */
export interface SkillReader<Skill extends Entry> {
  readonly supported: boolean;
  readonly directoryRead: boolean;
  list(): Promise<{ readonly skills: readonly Skill[]; readonly invalid: readonly unknown[] }>;
  get(uri: string): Promise<{ readonly skill: Skill }>;
  read(skill: Skill, reference?: string): Promise<ReadFile>;
  readDirectory(
    uri: string,
  ): Promise<{ readonly resources: readonly { readonly uri: string; readonly mimeType?: string | undefined }[] }>;
}

interface Connected<Skill extends Entry> {
  readonly client: { getNegotiatedProtocolVersion(): string | undefined };
  readonly reader: SkillReader<Skill>;
}

export function skillFeatures<Skill extends Entry>(
  revision: string,
  connected: Promise<Connected<Skill>>,
): readonly LogInFeature[] {
  const workflow = async () => (await (await connected).reader.get(skillUris.gitWorkflow)).skill;
  const refused = async (skill: Skill, reference?: string): Promise<unknown> => {
    const { reader } = await connected;
    return ((await errorOf(reader.read(skill, reference))) as { readonly reason?: unknown }).reason;
  };
  return [
    [
      "opening",
      async () => {
        const { client, reader } = await connected;
        same("the revision", client.getNegotiatedProtocolVersion(), revision);
        same("the extension", [reader.supported, reader.directoryRead], [true, true]);
      },
    ],
    [
      "list of skills",
      async () => {
        const { skills, invalid } = await (await connected).reader.list();
        same("the URIs", skills.map(({ uri }) => uri).sort(), [skillUris.gitWorkflow, skillUris.refunds]);
        same("the invalid entries", invalid, []);
        same("the frontmatter", skills.find(({ uri }) => uri === skillUris.gitWorkflow)?.frontmatter, frontmatter);
      },
    ],
    [
      "one skill",
      async () => {
        const { resources } = await workflow();
        const listed = resources === "dynamic" ? [] : resources.map(({ uri, size }) => [uri, size]);
        const expected = Object.entries(files)
          .filter(([path]) => path.startsWith("git-workflow/"))
          .map(([path, content]) => [`skill://acme/${path}`, Buffer.from(content).length]);
        same("the files", listed.sort(), expected.sort());
        const { code } = await errorOf((await connected).reader.get("skill://acme/none/SKILL.md"));
        same("the code for an unknown skill", code, -32602);
      },
    ],
    [
      "files of a skill",
      async () => {
        const { reader } = await connected;
        const skill = await workflow();
        const manifest = await reader.read(skill);
        same("the text", manifest.text, files["git-workflow/SKILL.md"]);
        same("the frontmatter", manifest.frontmatter, frontmatter);
        for (const path of ["references/BRANCHES.md", "assets/logo.bin"]) {
          const { bytes, verified } = await reader.read(skill, path);
          same(`the bytes of ${path}`, [...bytes], [...Buffer.from(files[`git-workflow/${path}`] ?? "")]);
          expect(`${path} is not verified`, verified, verified);
        }
      },
    ],
    [
      "verification",
      async () => {
        const skill = await workflow();
        const edit = (change: object): Skill => ({
          ...skill,
          resources:
            skill.resources === "dynamic" ? skill.resources : skill.resources.map((file) => ({ ...file, ...change })),
        });
        same("the reason for another digest", await refused(edit({ digest: `sha256:${"0".repeat(64)}` })), "digest");
        same("the reason for another size", await refused(edit({ size: 1 })), "size");
        const renamed = { ...skill, frontmatter: { ...skill.frontmatter, description: "Something else" } };
        same("the reason for another frontmatter", await refused(renamed), "frontmatter");
        same("the reason for another file", await refused(skill, "references/NONE.md"), "unlisted");
        same("the reason for a file of another skill", await refused(skill, "../refunds/SKILL.md"), "unlisted");
      },
    ],
    [
      "directories",
      async () => {
        const { reader } = await connected;
        const { resources } = await reader.readDirectory("skill://acme/git-workflow");
        same("the children", resources.map(({ uri }) => uri).sort(), [
          "skill://acme/git-workflow/SKILL.md",
          "skill://acme/git-workflow/assets",
          "skill://acme/git-workflow/references",
        ]);
        const directories = resources.filter(({ mimeType }) => mimeType === "inode/directory");
        same("the number of directories", directories.length, 2);
        const { code } = await errorOf(reader.readDirectory(skillUris.gitWorkflow));
        same("the code for a file", code, -32602);
      },
    ],
  ];
}
