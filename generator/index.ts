export {
  audit,
  type AuditOptions,
  type AuditFilesOptions,
  type AuditRevisionOptions,
} from "./commands/compare-schema/audit.js";
export type * from "./commands/compare-schema/report.js";
export { bind, type BindOptions, type BindResult } from "./commands/bind/bind.js";
export { compile, type CompileOptions, type CompileResult } from "./commands/compile/compile.js";
export { diff, type DiffOptions } from "./commands/diff/diff.js";
export type * from "./commands/diff/finding.js";
export { formatDiff, type DiffFormat, type FormatOptions } from "./commands/diff/formats/format-report.js";
export { explain, type ExplainOptions } from "./commands/explain/explain.js";
export type * from "./commands/explain/explanation.js";
export { formatExplanation } from "./commands/explain/format-explanation.js";
export { generate, type GenerateResult } from "./pipeline/generate.js";
export { type GenerateOptions } from "./pipeline/generate-options.js";
export { inspect, type InspectOptions, type Inspection, type InspectRequest } from "./commands/inspect/inspect.js";
export { newSkeleton, type NewSkeletonOptions, type NewSkeletonResult } from "./commands/new/new-skeleton.js";
export type * from "./shared/skeleton/options.js";
export {
  updateSkeleton,
  type UpdateSkeletonOptions,
  type UpdateSkeletonResult,
} from "./commands/update/update-skeleton.js";
export { validate, type ValidateOptions } from "./commands/validate/validate.js";
export type * from "./commands/validate/finding.js";
export type { RuleId, Severity } from "./commands/validate/rules.js";
export { vendor, type VendorOptions, type VendorResult } from "./commands/vendor/vendor.js";
export { loadModel, type LoadModelOptions } from "./pipeline/load-model.js";
export { knownRevisions as revisions } from "./shared/sources/schema-folder.js";
export type { Phase } from "./pipeline/read-model.js";
export type { Output } from "./pipeline/emit/revision-files.js";
export type { WriteReport } from "./pipeline/write/write-output.js";
export { DiagnosticError, formatDiagnostic, type Diagnostic } from "./shared/diagnostics/diagnostic.js";
export type { DiagnosticId } from "./shared/diagnostics/catalogue.js";
export type { Span } from "./shared/model/source.js";
export type * from "./shared/model/protocol.js";
