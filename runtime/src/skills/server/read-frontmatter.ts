import { isObject } from "../../jsonrpc/guards.js";
import type { ParseFrontmatter } from "../rules/parse-frontmatter.js";
import { splitSkillFile } from "../rules/split-skill-file.js";
import type { SkillFileProblem } from "./skill-files.js";

type Outcome =
  { readonly frontmatter: Readonly<Record<string, unknown>> } | { readonly problem: Omit<SkillFileProblem, "path"> };

/** Reads the YAML at the beginning of a `SKILL.md`. */
export function readFrontmatter(text: string | undefined, parse: ParseFrontmatter): Outcome {
  if (text === undefined) return { problem: { message: "is not UTF-8; save it as UTF-8" } };
  const parts = splitSkillFile(text);
  if (!parts) return { problem: { line: 1, message: 'begin it with YAML between two lines "---" (frontmatter)' } };
  let frontmatter: unknown;
  try {
    frontmatter = parse(parts.yaml);
  } catch (error) {
    const line = lineOf(error);
    const [text = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    if (line === undefined) return { problem: { message: `invalid YAML: ${text}` } };
    // The YAML begins in the second line of the file. The message has the line of the YAML, which would be a second number.
    const message = text.replace(/ at line \d+, column \d+:?$| \(\d+:\d+\)$/, "");
    return { problem: { line: line + 1, message: `invalid YAML: ${message}` } };
  }
  if (!isObject(frontmatter))
    return { problem: { line: 2, message: "its frontmatter must be a mapping of keys to values" } };
  const other = findOther(frontmatter, "");
  if (other === undefined) return { frontmatter };
  const message = `its frontmatter has a value at ${other} that JSON does not have; quote it, or pass a parser of the YAML 1.2 core schema`;
  return { problem: { message } };
}

/** The line in which a parser of YAML has found an error, from 1: `yaml` and `js-yaml` state it in these members. */
function lineOf(error: unknown): number | undefined {
  if (!isObject(error)) return undefined;
  const { linePos, mark } = error;
  const [position] = Array.isArray(linePos) ? (linePos as unknown[]) : [];
  const line = isObject(position) ? position["line"] : isObject(mark) ? Number(mark["line"]) + 1 : undefined;
  return Number.isInteger(line) ? (line as number) : undefined;
}

/** Finds a value that is not of JSON, such as a date. */
function findOther(value: unknown, at: string): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
    return undefined;
  if (Array.isArray(value))
    return value.map((item, index) => findOther(item, `${at}[${index}]`)).find((found) => found !== undefined);
  if (!isObject(value) || ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)) return at;
  return Object.entries(value)
    .map(([key, item]) => findOther(item, at === "" ? key : `${at}.${key}`))
    .find((found) => found !== undefined);
}
