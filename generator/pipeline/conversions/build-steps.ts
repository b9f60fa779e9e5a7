import { DiagnosticError, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { ConversionStep } from "../../shared/model/conversion.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";
import { buildStep, type Locate } from "./build-step.js";

/** The conversions between a revision and its older neighbour. */
export interface Neighbours {
  readonly newer: string;
  readonly up: ConversionStep;
  readonly down: ConversionStep;
}

export interface BuiltSteps {
  readonly steps: readonly Neighbours[];
  readonly findings: readonly Diagnostic[];
}

/**
 * CONVERT for all adjacent revisions among the models. An overlay names the older revision that its conversions start
 * from; all other revisions are reached through that one or not at all.
 * @throws DiagnosticError when an entry of an overlay matches nothing
 */
export function buildSteps(models: readonly ProtocolModel[], locate: Locate = () => undefined): BuiltSteps {
  const built = models.flatMap((newer) => {
    const stated = newer.conversions;
    const older = models.find(({ revision }) => revision === stated?.neighbour);
    if (!stated || !older) return [];
    const [up, down] = [buildStep(older, newer, "up", stated, locate), buildStep(older, newer, "down", stated, locate)];
    return [{ newer: newer.revision, up, down }];
  });
  const all = built.flatMap(({ up, down }) => [up, down]);
  const errors = all.flatMap((step) => step.errors);
  if (errors.length > 0) throw new DiagnosticError(errors);
  return {
    steps: built.map(({ newer, up, down }) => ({ newer, up: up.step, down: down.step })),
    findings: all.flatMap(({ findings }) => findings),
  };
}
