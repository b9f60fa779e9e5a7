export type {
  McpUiClientCapabilities,
  McpUiResourceCsp,
  McpUiResourceMeta,
  McpUiResourcePermissions,
  McpUiToolMeta,
  McpUiToolVisibility,
} from "@mcpwright/protocol/extensions/apps";
export { APP_MIME_TYPE } from "./apps/app-mime-type.js";
export { apps } from "./apps/server/apps-extension.js";
export {
  type AppResourceConfig,
  type AppResourceMeta,
  type AppResourceUpdate,
  type ReadAppCallback,
  type RegisteredAppResource,
  registerAppResource,
} from "./apps/server/register-app-resource.js";
export {
  type AppServer,
  type AppToolConfig,
  type AppToolMeta,
  registerAppTool,
} from "./apps/server/register-app-tool.js";
export { showsApps } from "./apps/server/shows-apps.js";
export { type ToolApp, toolApp } from "./apps/tool-link.js";
