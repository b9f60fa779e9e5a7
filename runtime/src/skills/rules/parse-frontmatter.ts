/**
 * Parses the YAML of a `SKILL.md`, such as `parse` of the package `yaml`. It must return plain objects, arrays, strings, numbers, booleans
 * and null.
 */
export type ParseFrontmatter = (yaml: string) => unknown;
