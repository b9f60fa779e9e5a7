import type { AuthInfo } from "../types/index.js";
import type { McpServer } from "./mcp-server.js";
import type { Server } from "./server.js";

/** The client for which a server is made. */
export interface McpRequestContext {
  /** `legacy`: revisions with a handshake; `modern`: those whose requests describe their client. */
  era: "legacy" | "modern";
  authInfo?: AuthInfo;
  requestInfo?: globalThis.Request;
}

/** Makes the server of a request over HTTP, or of a connection. */
export type McpServerFactory = (ctx: McpRequestContext) => McpServer | Server | Promise<McpServer | Server>;

/** The low-level server of what a factory returns. */
export function lowLevel(made: McpServer | Server): Server {
  return "server" in made ? made.server : made;
}
