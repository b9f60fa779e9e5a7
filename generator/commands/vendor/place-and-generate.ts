import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { deferSignals } from "../../shared/files/defer-signals.js";
import type { GenerateResult, WriteHooks } from "../../pipeline/generate.js";
import type { PlacedFiles } from "./place-schema-files.js";

/** Puts the schema in place just before the output is written, and takes it back when that fails or is interrupted. */
export function placeAndGenerate(
  put: (stop: () => void) => Promise<PlacedFiles>,
  needed: boolean,
  generateInto: (hooks: WriteHooks) => Promise<GenerateResult>,
): Promise<GenerateResult> {
  return deferSignals(async (interrupted) => {
    const stop = (): void => {
      if (interrupted()) throw new Error("interrupted");
    };
    let placed: PlacedFiles | undefined;
    const beforeWrite = async (): Promise<void> => {
      stop();
      if (needed) placed = await put(stop);
    };
    try {
      const result = await generateInto({ beforeWrite, interrupted });
      placed?.keep();
      return result;
    } catch (error) {
      placed?.takeBack();
      throw error;
    }
  });
}

/** Replaces the source in a finding by the vendored file, beside which its overlay is edited. */
export function relocated(finding: Diagnostic, from: string, to: string): Diagnostic {
  return finding.span?.file === from ? { ...finding, span: { ...finding.span, file: to } } : finding;
}
