export {
  compareSchema,
  type CompareSchemaOptions,
  type CompareSchemaFilesOptions,
  type CompareSchemaRevisionOptions,
  type CompareSchemaExtensionOptions,
} from "./commands/compare-schema/compare-schema.js";
export type * from "./commands/compare-schema/compare-schema-report.js";
export { bind, type BindOptions, type BindResult } from "./commands/bind/bind.js";
export { bundle, type BundledFile, type BundleOptions, type BundleResult } from "./commands/bundle/bundle.js";
export { compile, type CompileOptions, type CompileResult } from "./commands/compile/compile.js";
export { dev, type DevOptions } from "./commands/dev/dev.js";
export type * from "./commands/dev/relay-events.js";
export type { MessageTrace } from "./shared/sessions/message-trace.js";
export { diff, type DiffOptions } from "./commands/diff/diff.js";
export type * from "./commands/diff/finding.js";
export { formatDiff, type DiffFormat, type FormatOptions } from "./commands/diff/formats/format-report.js";
export { doctor, type DoctorOptions, type DoctorReport } from "./commands/doctor/doctor.js";
export type { DoctorCheck, DoctorFinding } from "./commands/doctor/finding.js";
export { explain, type ExplainOptions } from "./commands/explain/explain.js";
export type * from "./commands/explain/explanation.js";
export { formatExplanation } from "./commands/explain/format-explanation.js";
export {
  gateway,
  type GatewayHttpOptions,
  type GatewayRunOptions,
  type GatewaySourceOptions,
} from "./commands/gateway/gateway.js";
export { generate, type GenerateResult } from "./pipeline/generate.js";
export type { GenerateOptions } from "./pipeline/generate-options.js";
export { inspect, type InspectOptions, type Inspection, type InspectRequest } from "./commands/inspect/inspect.js";
export { login, type LoginOptions, type LoginResult } from "./commands/login/login.js";
export { logout, type LogoutOptions, type LogoutResult } from "./commands/logout/logout.js";
export type { ServerVariable } from "./shared/command/server-variables.js";
export type { AuthorizationSettings } from "./shared/command/authorization-settings.js";
export {
  manifest,
  type ManifestOptions,
  type ManifestResult,
  type McpbRelease,
  type ToolsLockOptions,
  toolsLock,
} from "./commands/manifest/manifest.js";
export { migrate, type MigrateOptions, type MigrateResult } from "./commands/migrate/migrate.js";
export type { Todo } from "./commands/migrate/migration-plan.js";
export { createProject, type CreateProjectOptions, type CreateProjectResult } from "./commands/new/create-project.js";
export type * from "./shared/project/project-options.js";
export {
  updateProject,
  type UpdateProjectOptions,
  type UpdateProjectResult,
} from "./commands/update/update-project.js";
export { outdated, type OutdatedOptions, type OutdatedReport } from "./commands/outdated/outdated.js";
export type { NewerItem, OpenQuestion } from "./commands/outdated/findings.js";
export { validate, type ValidateOptions } from "./commands/validate/validate.js";
export type * from "./commands/validate/validation-report.js";
export type { ValidationRuleId, ValidationSeverity } from "./commands/validate/rules.js";
export { vendor, type VendorOptions, type VendorResult } from "./commands/vendor/vendor.js";
export {
  vendorExtension,
  type VendorExtensionOptions,
  type VendorExtensionResult,
} from "./commands/vendor/vendor-extension.js";
export { loadModel, type LoadModelOptions } from "./pipeline/load-model.js";
export { knownRevisions as revisions } from "./shared/sources/schema-folder.js";
export type { Phase } from "./pipeline/read-model.js";
export type { Output } from "./pipeline/emit/revision-files.js";
export type { WriteReport } from "./pipeline/write/write-output.js";
export { DiagnosticError, formatDiagnostic, type Diagnostic } from "./shared/diagnostics/diagnostic.js";
export type { DiagnosticId } from "./shared/diagnostics/catalogue.js";
export type { Span } from "./shared/model/source.js";
export type * from "./shared/model/protocol.js";
