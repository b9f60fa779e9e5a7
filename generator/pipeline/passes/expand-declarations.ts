import type { SourceModule } from "../../shared/model/source.js";
import { deriveConstants } from "./derive-constants.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import { expandGenerics } from "./expand-generics.js";

/** A module without generic types and without constants that are declared by a type. */
export function expandDeclarations(module: SourceModule, collector: DiagnosticCollector): SourceModule {
  return deriveConstants(expandGenerics(module, collector), collector);
}
