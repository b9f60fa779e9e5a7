export { toNodeHandler } from "./node/node-handler.js";
export type { NodeMcpHandler } from "./node/node-handler.js";
export { toNodeGuard } from "./node/node-guard.js";
export type { NodeGuard } from "./node/node-guard.js";
export { serveHttp } from "./node/serve-http.js";
export type { HttpServerHandle, ServeHttpOptions } from "./node/serve-http.js";
export { resolveInside } from "./node/resolve-inside.js";
