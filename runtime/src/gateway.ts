export { type AuditOptions, auditLine } from "./gateway/audit/audit-line.js";
export { auditLog } from "./gateway/audit/audit-log.js";
export type { AuditClient, AuditOutcome, AuditRecord, AuditSink } from "./gateway/audit/audit-record.js";
export type { AttachedAudit, GatewayAudit } from "./gateway/audit/gateway-audit.js";
export { requireScopes, type ScopesByTool } from "./gateway/access/require-scopes.js";
export type { ServerScopes } from "./gateway/access/server-access.js";
export type { NameOption } from "./gateway/composition/name-scheme.js";
export type { ToolSelection } from "./gateway/composition/tool-selection.js";
export type {
  ExtensionHost,
  GatewayExtension,
  GatewayExtensionHandlers,
  ServersWithExtension,
} from "./gateway/extensions/gateway-extension.js";
export { skillsThrough } from "./gateway/extensions/skills-through.js";
export { tasksThrough } from "./gateway/extensions/tasks-through.js";
export { createGateway, Gateway } from "./gateway/gateway.js";
export type {
  GatewayOptions,
  GatewayServer,
  GatewaySource,
  Isolation,
  MountableServer,
} from "./gateway/gateway-options.js";
export type { GatewayServerState } from "./gateway/gateway-server-state.js";
export { type CallLimits, callLimits } from "./gateway/limits/call-limits.js";
export type { UpstreamLimits, UpstreamLimitsOptions } from "./gateway/limits/upstream-limits.js";
export type { ServerLogIn } from "./gateway/log-in/server-log-in.js";
export type { PinningPolicy } from "./gateway/pinning/apply-policy.js";
export {
  type AddedItem,
  type ChangedItem,
  compareWithLock,
  type RemovedItem,
  type SurfaceChange,
  type UnlockedServer,
} from "./gateway/pinning/compare-with-lock.js";
export type { Difference } from "./gateway/pinning/differences.js";
export {
  formatLock,
  type GatewayLock,
  type LockedItem,
  type LockedServer,
  lockOf,
} from "./gateway/pinning/gateway-lock.js";
export type { GatewayPinning, PinnedConnection, PinningTarget } from "./gateway/pinning/gateway-pinning.js";
export { type LockedServers, lockServers, type LockServersOptions } from "./gateway/pinning/lock-servers.js";
export { parseLock } from "./gateway/pinning/parse-lock.js";
export { pinnedBy, type PinnedByOptions, type Pinning } from "./gateway/pinning/pinned-by.js";
export { renderChanges, type RenderChangesOptions } from "./gateway/pinning/render-changes.js";
export type { ItemKind, PinnedItem, ServerSurface } from "./gateway/pinning/server-surface.js";
export { escapeHidden } from "./gateway/review/escape-hidden.js";
export type { GatewayReview } from "./gateway/review/gateway-review.js";
export type { HiddenText, HiddenTextKind } from "./gateway/review/hidden-text.js";
export { renderFindings } from "./gateway/review/render-findings.js";
export { type ReviewFinding, reviewPrompt, reviewResult, reviewText, reviewTool } from "./gateway/review/review.js";
export { type ItemFindings, reviewSurface } from "./gateway/review/review-surface.js";
export { reviewing, type ReviewingOptions } from "./gateway/review/reviewing.js";
export type { UpstreamState } from "./gateway/upstream/upstream-host.js";
