import { isObject } from "../is-object.js";
import { packageNameProblem } from "./package-name.js";
import { isNotesStart, isProjectStart, type ProjectOptions, startOptions } from "./project-options.js";

/** Whether a value has a valid name, a known start, and only options that fit the start. */
export function isProjectOptions(value: unknown): value is ProjectOptions {
  if (!isObject(value)) return false;
  const { start, name, ...flags } = value;
  if (typeof name !== "string" || packageNameProblem(name) !== undefined) return false;
  if (start === "openapi") return isOpenapiSource(flags["openapi"]) && Object.keys(flags).length === 1;
  if (!isProjectStart(start)) return false;
  const known: readonly string[] = isNotesStart(start) ? startOptions[start] : [];
  return Object.entries(flags).every(([flag, value]) => known.includes(flag) && typeof value === "boolean");
}

function isOpenapiSource(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { source, limit, tags = [], paths = [] } = value;
  const areTexts = [tags, paths].every((list) => Array.isArray(list) && list.every((one) => typeof one === "string"));
  return typeof source === "string" && source !== "" && Number.isSafeInteger(limit) && areTexts;
}
