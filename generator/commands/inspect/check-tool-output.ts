import { runInNewContext } from "node:vm";
import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { printValidators, uncheckable } from "../../shared/schema-code/print-validators.js";
import { withLegalPatterns } from "../../shared/schema-code/legal-patterns.js";
import { whyUnusable } from "../../shared/schema-code/unusable-schema.js";
import { escapeLine } from "../../shared/command/escape-controls.js";

interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * Validates the structured content of a tool against its output schema, like the clients of `bind`: patterns are not run.
 */
export async function checkToolOutput(
  tool: string,
  schema: unknown,
  content: unknown,
): Promise<Diagnostic | undefined> {
  const note = (id: "output-unfit" | "output-unchecked", reason: string): Diagnostic =>
    diagnostic(id, { tool, reason: escapeLine(reason, 400) });
  if (content === undefined) return note("output-unfit", "it is missing");
  try {
    const issues = (await checkOf(schema))(content);
    if (issues.length === 0) return undefined;
    if (issues.some(({ message }) => message === uncheckable))
      return note("output-unchecked", "it is nested too deeply, or validation takes too many steps");
    return note("output-unfit", issues.map(({ path, message }) => `/${path.join("/")} ${message}`).join("; "));
  } catch (error) {
    const reason = whyUnusable(error);
    if (reason === undefined) throw error;
    return note("output-unchecked", `its output schema cannot be used: ${reason}`);
  }
}

/** Runs the validator that `bind` would print. It contains strings of the peer's schema only in quoted form. */
async function checkOf(schema: unknown): Promise<(value: unknown) => readonly Issue[]> {
  const { text } = printValidators([{ name: "Output", schema: withLegalPatterns(schema) }], { patterns: "ignore" });
  const { ts } = await import("ts-morph");
  const { ES2022: target } = ts.ScriptTarget;
  const module: { exports: Record<string, unknown> } = { exports: {} };
  runInNewContext(ts.transpile(text, { target, module: ts.ModuleKind.CommonJS }), module);
  return module.exports["checkOutput"] as (value: unknown) => readonly Issue[];
}
