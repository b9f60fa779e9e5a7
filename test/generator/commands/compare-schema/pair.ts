import { compareModules, type KnownFacts } from "../../../../generator/commands/compare-schema/compare-modules.js";
import type { CompareSchemaFinding } from "../../../../generator/commands/compare-schema/compare-schema-report.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";

/** The findings about a pair. */
export function findingsOf(
  ts: string,
  definitions: object,
  known: KnownFacts = { integers: new Set() },
): readonly CompareSchemaFinding[] {
  return compareModules(readTypeScript(ts, "s.ts"), readJsonSchema(JSON.stringify({ definitions }), "s.json"), known);
}

/** `Type path [id] schema.ts => schema.json` of each finding. */
export function lines(findings: readonly CompareSchemaFinding[]): readonly string[] {
  return findings.map(
    ({ type, path, explanation, schemaTs, schemaJson }) =>
      `${type}${path === "" ? "" : ` ${path}`} [${explanation.id}] ${schemaTs} => ${schemaJson}`,
  );
}
