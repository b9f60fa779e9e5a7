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
export type { UpstreamState } from "./gateway/upstream/upstream.js";
