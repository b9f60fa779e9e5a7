export { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from "./stdio/environment.js";
export { StdioClientTransport } from "./stdio/client-transport.js";
export type { StdioServerParameters } from "./stdio/client-transport.js";
export type { ShutdownTimeouts } from "./stdio/end-server.js";
export { serveStdio } from "./stdio/serve-stdio.js";
export type { Servable, ServeStdioOptions, StdioServerHandle } from "./stdio/serve-stdio.js";
export { StdioServerTransport } from "./stdio/server-transport.js";
export type { StdioOptions } from "./stdio/server-transport.js";
