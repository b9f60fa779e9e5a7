import { checkSkills } from "@mcpwright/runtime/skills/client";
import type { Skill } from "../../core/ext/skills.js";

/** An entry of a list that cannot be used, and why. */
export interface InvalidSkillEntry {
  index: number;
  uri?: string;
  reason: string;
}

/** Separates the valid skills of a list from the other entries. */
export function toListing(entries: readonly unknown[]): { skills: Skill[]; invalid: InvalidSkillEntry[] } {
  // Hosts of the official SDK accept skills of any size.
  const { skills, invalid } = checkSkills(entries, { files: Infinity, bytes: Infinity });
  return {
    skills: skills as Skill[],
    invalid: invalid.map(({ index, error }) => ({
      index,
      ...(error.skill !== "" && { uri: error.skill }),
      reason: error.problems.map(({ message }) => message).join("; "),
    })),
  };
}

/** Returns why an entry cannot be used; undefined if it can. */
export function problemOf(entry: unknown): string | undefined {
  return toListing([entry]).invalid[0]?.reason;
}
