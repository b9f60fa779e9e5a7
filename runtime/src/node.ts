export { toNodeHandler } from "./node/node-handler.js";
export type { NodeMcpHandler } from "./node/node-handler.js";
export { serveHttp } from "./node/serve-http.js";
export type { HttpServerHandle, ServeHttpOptions } from "./node/serve-http.js";
export { resolveInside } from "./node/resolve-inside.js";
