import { isObject } from "../../jsonrpc/guards.js";
import { show, type SkillProblem, type SkillProblemReason } from "./skill-problem.js";
import { directoryName, pathIn, skillDirectory } from "./skill-uri.js";

/** What a client accepts of one skill. */
export interface SkillLimits {
  /** The most files. Default: 512, which every client has to accept. */
  readonly files: number;
  /** The most bytes of all files together. Default: 16 MiB, which every client has to accept. */
  readonly bytes: number;
}

export const defaultSkillLimits: SkillLimits = { files: 512, bytes: 16 * 1024 * 1024 };

const nameForm = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const longestName = 64;
const digestForm = /^sha256:[a-f\d]{64}$/;

/**
 * Checks a server's entry of a skill: its members, its name, the URIs of its files, and the limits (SEP-2640, enumeration).
 * @returns the problems; empty if the entry is a valid `Skill`
 */
export function checkSkill(entry: unknown, limits: SkillLimits): readonly SkillProblem[] {
  const problems: SkillProblem[] = [];
  if (!isObject(entry) || typeof entry["uri"] !== "string") {
    const actual = isObject(entry) ? entry["uri"] : entry;
    return [{ reason: "entry", uri: "", field: "uri", expected: "a string", actual, message: "its entry has no uri" }];
  }
  const { uri, frontmatter, resources } = entry as { readonly [key: string]: unknown; readonly uri: string };
  const report = (
    reason: SkillProblemReason,
    field: string,
    expected: unknown,
    actual: unknown,
    message = `${field} must be ${String(expected)}, not ${show(actual)}`,
    file = uri,
  ): void => void problems.push({ reason, uri: file, field, expected, actual, message });

  const directory = skillDirectory(uri);
  if (directory === undefined) report("uri", "uri", "scheme://path/SKILL.md", uri);
  const { name, description } = isObject(frontmatter) ? frontmatter : {};
  if (!isObject(frontmatter)) report("entry", "frontmatter", "an object", frontmatter);
  else if (typeof name !== "string" || name.length > longestName || !nameForm.test(name))
    report("name", "frontmatter.name", "1 to 64 lower-case letters, digits and single hyphens", name);
  else if (directory !== undefined && directoryName(directory) !== name)
    report("name", "frontmatter.name", JSON.stringify(directoryName(directory)), name);
  if (isObject(frontmatter) && (typeof description !== "string" || description === ""))
    report("entry", "frontmatter.description", "a string that is not empty", description);

  if (resources === "dynamic") return problems;
  if (!Array.isArray(resources)) report("entry", "resources", 'an array or "dynamic"', resources);
  else if (resources.length > limits.files)
    report("limit", "resources", limits.files, resources.length, `it has more than ${limits.files} files`);
  else if (directory !== undefined) checkFiles(resources, directory);
  return problems;

  function checkFiles(files: readonly unknown[], directory: string): void {
    const paths = new Set<string>();
    let bytes = 0;
    for (const [index, file] of files.entries()) {
      const field = `resources[${index}]`;
      const { uri, digest, size } = isObject(file) ? file : {};
      if (typeof uri !== "string") {
        report("entry", `${field}.uri`, "a string", uri);
        continue;
      }
      const path = pathIn(directory, uri);
      if (path === undefined)
        report("uri", `${field}.uri`, `${directory}/…`, uri, `${uri} is not in its directory ${directory}`, uri);
      else if (paths.has(path)) report("entry", `${field}.uri`, "one entry", uri, `${uri} is listed twice`, uri);
      else paths.add(path);
      if (typeof digest !== "string" || !digestForm.test(digest))
        report("entry", `${field}.digest`, '"sha256:" and 64 lower-case hexadecimal digits', digest, undefined, uri);
      if (!Number.isSafeInteger(size) || (size as number) < 0)
        report("entry", `${field}.size`, "a number of bytes", size, undefined, uri);
      else bytes += size as number;
    }
    if (!paths.has("SKILL.md")) report("entry", "resources", `an entry for ${uri}`, undefined);
    if (bytes > limits.bytes)
      report("limit", "resources", limits.bytes, bytes, `its files have ${bytes} bytes, more than ${limits.bytes}`);
  }
}
