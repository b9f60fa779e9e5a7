export { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from "./stdio/default-environment.js";
export { StdioClientTransport } from "./stdio/stdio-client-transport.js";
export type { StdioServerParameters } from "./stdio/stdio-client-transport.js";
export type { ShutdownTimeouts } from "./stdio/stop-server.js";
export { serveStdio } from "./stdio/serve-stdio.js";
export type { Servable, ServableConnection, ServeStdioOptions, StdioServerHandle } from "./stdio/serve-stdio.js";
export { StdioServerTransport } from "./stdio/stdio-server-transport.js";
export type { StdioOptions } from "./stdio/options.js";
