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
export { createGateway, Gateway, type GatewayServerState } from "./gateway/gateway.js";
export type {
  GatewayOptions,
  GatewayServer,
  GatewaySource,
  Isolation,
  MountableServer,
} from "./gateway/gateway-options.js";
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
export type { UpstreamState } from "./gateway/upstream/upstream.js";
