import { type Document, parseDocument } from "yaml";
import { textOf } from "./content.js";

/**
 * Reads the YAML at the beginning of a `SKILL.md`.
 * @throws Error that says what is wrong with the file
 */
export function readFrontmatter(bytes: Uint8Array): Record<string, unknown> {
  const text = textOf(bytes);
  if (text === undefined) throw new Error("SKILL.md is not UTF-8; save it as UTF-8");
  const parts = /^\uFEFF?---\r?\n(?<yaml>[^]*?)^---[\t ]*\r?$/m.exec(text);
  const yaml = parts?.groups?.["yaml"];
  if (yaml === undefined) throw new Error('SKILL.md must begin with YAML between two lines "---" (frontmatter)');
  const document = parseDocument(yaml.replaceAll("\r\n", "\n"));
  // Tags that YAML does not define are warnings.
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new Error(`SKILL.md has invalid YAML: ${problem.message.split("\n", 1)[0] ?? ""}`);
  const value = document.contents === null ? {} : withoutAliases(document);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("the frontmatter of SKILL.md must be a mapping of keys to values");
  assertJson(value);
  return value as Record<string, unknown>;
}

/** @throws Error for YAML with aliases, whose values could be repeated without a limit */
function withoutAliases(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new Error("SKILL.md has an alias in its YAML; write the value out", { cause });
  }
}

/** @throws Error when entries cannot contain the value */
function assertJson(value: object): void {
  JSON.stringify(value, (key, member: unknown) => {
    if (key === "__proto__") throw new Error('the frontmatter of SKILL.md must not have the key "__proto__"');
    const isNumber = typeof member === "number" || typeof member === "bigint";
    if (isNumber && !Number.isFinite(member))
      throw new Error(`the frontmatter of SKILL.md has a number at ${key} that JSON does not have; quote it`);
    return member;
  });
}
