import { checkSkills } from "@mcpwright/runtime/skills/client";
import { type Skill, type SkillFrontmatter, type SkillResourceEntry, SkillSchema } from "../../../core/ext/skills.js";
import { SkillCatalogError } from "./catalog-error.js";
import { bytesOf, digestOf, messageOf } from "./content.js";
import { readFrontmatter } from "./read-frontmatter.js";
import { namesOf } from "./relative-path.js";
import { sortedBy, uriBelow } from "./uris.js";

const longestDescription = 1024;
const longestCompatibility = 500;

/** Returns what is wrong with the entry of a skill; nothing if it is valid. */
export function problemsOf(entry: unknown): readonly string[] {
  const parsed = SkillSchema.safeParse(entry);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the entry"}: ${message}`);
  // Servers of the official SDK publish skills of any size.
  const [invalid] = checkSkills([entry], { files: Infinity, bytes: Infinity }).invalid;
  const found = invalid?.error.problems.map(({ message }) => message) ?? [];
  return [...found, ...textProblems(parsed.data.frontmatter)];
}

/** The rules of Agent Skills about the texts of the frontmatter. */
function textProblems(frontmatter: SkillFrontmatter): readonly string[] {
  const { description, compatibility, metadata } = frontmatter;
  const problems: string[] = [];
  if (lengthOf(description) > longestDescription)
    problems.push(`frontmatter.description must have at most ${longestDescription} characters`);
  const isCompatibility = typeof compatibility === "string" && compatibility !== "";
  if (compatibility !== undefined && !(isCompatibility && lengthOf(compatibility) <= longestCompatibility))
    problems.push(`frontmatter.compatibility must be a string of 1 to ${longestCompatibility} characters`);
  if (metadata !== undefined && !hasOnlyStrings(metadata))
    problems.push("frontmatter.metadata must be a mapping of keys to strings; quote numbers");
  return problems;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function hasOnlyStrings(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => typeof member === "string");
}

export async function toResource(uri: string, bytes: Uint8Array): Promise<SkillResourceEntry> {
  return { uri, digest: await digestOf(bytes), size: bytes.length };
}

/**
 * Makes the entry of a skill.
 * @throws SkillCatalogError when it is invalid
 */
export function toEntry(
  path: string,
  uri: string,
  manifest: Uint8Array | undefined,
  resources: readonly SkillResourceEntry[],
): Skill {
  const fail = (messages: readonly string[]): never => {
    throw new SkillCatalogError(messages.map((message) => ({ path, message })));
  };
  if (!manifest) return fail(["SKILL.md is missing"]);
  let frontmatter: Record<string, unknown>;
  try {
    frontmatter = readFrontmatter(manifest);
  } catch (error) {
    return fail([messageOf(error)]);
  }
  const { name, description } = frontmatter;
  if (typeof name !== "string" || typeof description !== "string")
    return fail(["the frontmatter of SKILL.md must have a name and a description that are strings"]);
  const entry = { uri, frontmatter, resources: sortedBy(resources, (one) => one.uri) };
  const problems = problemsOf(entry);
  return problems.length === 0 ? (entry as Skill) : fail(problems);
}

/**
 * Makes the entry of a skill, for a `SkillSource` of your own.
 * @param skillPath the folder of the skill, such as `git-workflow`
 * @param files by path in that folder, such as `SKILL.md`
 * @throws SkillCatalogError when the skill is invalid; TypeError for a path that leads out of the folder
 */
export async function skillEntry(
  skillPath: string,
  files: Record<string, string | Uint8Array>,
  options: { baseUri?: string } = {},
): Promise<Skill> {
  const { baseUri = "skill://" } = options;
  const folder = namesOf(skillPath, "skillPath");
  const uri = uriBelow(baseUri, [...folder, "SKILL.md"]);
  const contents = Object.entries(files).map(
    ([path, content]) => [uriBelow(baseUri, [...folder, ...namesOf(path, "file path")]), bytesOf(content)] as const,
  );
  const resources = await Promise.all(contents.map(([one, bytes]) => toResource(one, bytes)));
  return toEntry(skillPath, uri, contents.find(([one]) => one === uri)?.[1], resources);
}
