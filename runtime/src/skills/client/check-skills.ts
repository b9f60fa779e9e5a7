import type { Skill } from "@mcpwright/protocol/extensions/skills";
import { isObject } from "../../jsonrpc/guards.js";
import { normalUri } from "../../rules/uris.js";
import { checkSkill, defaultSkillLimits, type SkillLimits } from "../rules/check-skill.js";
import { SkillVerificationError, type SkillProblem } from "../rules/skill-problem.js";

/** An entry of a list that is not a skill that can be used. */
export interface InvalidSkill {
  /** Its index in the whole list. */
  readonly index: number;
  /** The entry, as the server sent it. */
  readonly entry: unknown;
  readonly error: SkillVerificationError;
}

/**
 * Separates the valid entries of a list from the others. Of entries with the same URI, none is valid: it is unknown which one the
 * server means. `SkillsClient` does this by itself.
 */
export function checkSkills(
  entries: readonly unknown[],
  limits: Partial<SkillLimits> = {},
): { readonly skills: Skill[]; readonly invalid: InvalidSkill[] } {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  const skills: Skill[] = [];
  const invalid: InvalidSkill[] = [];
  for (const [index, entry] of entries.entries()) {
    const found = checkSkill(entry, { ...defaultSkillLimits, ...limits });
    const copies = counts.get(keyOf(entry)) ?? 0;
    const uri = uriOf(entry);
    const message = `the list has ${copies} entries with the URI ${uri}`;
    const repeated: SkillProblem = { reason: "entry", uri, field: "uri", expected: 1, actual: copies, message };
    const [first, ...rest] = uri !== "" && copies > 1 ? [...found, repeated] : found;
    if (first) invalid.push({ index, entry, error: new SkillVerificationError(uri, [first, ...rest]) });
    else skills.push(entry as Skill);
  }
  return { skills, invalid };
}

/** Returns the URI of an entry that may be invalid. */
export function uriOf(entry: unknown): string {
  const uri = isObject(entry) ? entry["uri"] : undefined;
  return typeof uri === "string" ? uri : "";
}

function keyOf(entry: unknown): string {
  return normalUri(uriOf(entry));
}
