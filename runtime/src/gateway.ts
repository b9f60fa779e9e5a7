export type { NameOption } from "./gateway/composition/name-scheme.js";
export type { ToolSelection } from "./gateway/composition/tool-selection.js";
export { createGateway, Gateway, type GatewayServerState } from "./gateway/gateway.js";
export type {
  GatewayOptions,
  GatewayServer,
  GatewaySource,
  Isolation,
  MountableServer,
} from "./gateway/gateway-options.js";
export type { UpstreamState } from "./gateway/upstream/upstream.js";
