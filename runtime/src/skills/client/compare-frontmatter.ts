import { isObject, ownMember } from "../../jsonrpc/guards.js";
import { show, type SkillProblem } from "../rules/skill-problem.js";

const most = 20;

/**
 * Compares the frontmatter in a skill's entry with the one that was parsed from its `SKILL.md`: all members of both, arrays in order,
 * without conversions (SEP-2640, integrity and verification).
 * @param uri the URI of the `SKILL.md`
 * @returns one problem per member that differs, at most 20
 */
export function compareFrontmatter(uri: string, expected: unknown, actual: unknown): readonly SkillProblem[] {
  const problems: SkillProblem[] = [];
  compare(expected, actual, "");
  return problems;

  function compare(one: unknown, other: unknown, field: string): void {
    if (problems.length === most || one === other) return;
    if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
      one.forEach((item, index) => compare(item, other[index], `${field}[${index}]`));
    else if (isPlain(one) && isPlain(other))
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
        compare(ownMember(one, key), ownMember(other, key), field === "" ? key : `${field}.${key}`);
    else
      problems.push({
        reason: "frontmatter",
        uri,
        field,
        expected: one,
        actual: other,
        message: `${uri}: its frontmatter has ${show(other)} in ${field || "place of the mapping"}, its entry ${show(one)}`,
      });
  }
}

/** Whether a value is an object of JSON: parsers may also return dates and maps. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
