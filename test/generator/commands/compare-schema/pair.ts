import { compare, type KnownFacts } from "../../../../generator/commands/compare-schema/compare.js";
import type { AuditFinding } from "../../../../generator/commands/compare-schema/report.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";

/** The findings about a pair. */
export function findingsOf(
  ts: string,
  definitions: object,
  known: KnownFacts = { integers: new Set() },
): readonly AuditFinding[] {
  return compare(readTypeScript(ts, "s.ts"), readJsonSchema(JSON.stringify({ definitions }), "s.json"), known);
}

/** `Type path [id] schema.ts => schema.json` of each finding. */
export function lines(findings: readonly AuditFinding[]): readonly string[] {
  return findings.map(
    ({ type, path, explanation, schemaTs, schemaJson }) =>
      `${type}${path === "" ? "" : ` ${path}`} [${explanation.id}] ${schemaTs} => ${schemaJson}`,
  );
}
