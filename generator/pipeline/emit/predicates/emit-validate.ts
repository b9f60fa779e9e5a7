import type { ProtocolModel } from "../../../shared/model/protocol.js";
import { binding, type Code } from "../../../shared/code/code.js";
import { sharedChecks } from "./member-reads.js";
import { PredicatePrinter } from "./predicate-printer.js";

/**
 * `validate.ts`: one predicate per definition, and private ones for the arrays, maps and inline types inside them.
 * @param imported definitions whose predicates are in another module
 */
export function emitValidate(
  model: ProtocolModel,
  imported: ReadonlySet<string> = new Set(),
): {
  readonly checks: readonly Code[];
  readonly functions: readonly Code[];
} {
  const printer = new PredicatePrinter(model, imported);
  const own = model.definitions.filter(({ name }) => !imported.has(name));
  const exported = own.map((definition) => printer.definition(definition));
  const functions = [...exported, ...printer.privateFunctions()];
  const text = functions.join("\n");
  const checks = sharedChecks.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map(binding);
  return { checks, functions };
}
