import { expect } from "vitest";
import { DiagnosticCollector } from "../../../../generator/pipeline/passes/diagnostic-collector.js";
import { expandDeclarations } from "../../../../generator/pipeline/passes/expand-declarations.js";
import { flatten } from "../../../../generator/pipeline/passes/flatten.js";
import { resolveReferences } from "../../../../generator/pipeline/passes/scope.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import type { SourceModule } from "../../../../generator/shared/model/source.js";
import { line } from "../../shared/diagnostics/problems.js";
import { showDefinition } from "./show.js";

/** The flattened declarations by name, and all errors. */
export function flat(module: SourceModule): { shown: Record<string, string>; errors: string[] } {
  const collector = new DiagnosticCollector(true);
  const scope = resolveReferences(expandDeclarations(module, collector), collector);
  const definitions = collector.errors.length > 0 ? [] : flatten(scope, collector);
  return {
    shown: Object.fromEntries(definitions.map((found) => [found.name, showDefinition(found)])),
    errors: collector.errors.map(line),
  };
}

/** The flattened declarations of a text without errors. */
export function flatText(text: string): Record<string, string> {
  const { shown, errors } = flat(readTypeScript(text, "s.ts"));
  expect(errors).toEqual([]);
  return shown;
}

/** The flattened declaration `A`. */
export function becomes(text: string): string | undefined {
  return flatText(text)["A"];
}

export function errorsOf(text: string): string[] {
  return flat(readTypeScript(text, "s.ts")).errors;
}
