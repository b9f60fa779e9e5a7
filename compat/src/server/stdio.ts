export { StdioServerTransport } from "./stdio-server-transport.js";
export { serveStdio } from "./serve-stdio.js";
export type { ServeStdioOptions, StdioServerHandle } from "./serve-stdio.js";
