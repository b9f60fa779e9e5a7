import { conversions } from "@mcpwright/protocol/conversions";
import { findServerIssues } from "@mcpwright/protocol/server-issues";
import { serverSides } from "@mcpwright/protocol/server-sides";
import type { Implementation } from "./authoring.js";
import {
  type CoreMcpServerOptions,
  type CoreServerOptions,
  McpServer as CoreMcpServer,
  type McpServerOptions,
  Server as CoreServer,
  type ServerOptions,
} from "./server/core.js";

export * from "./server/core.js";

/**
 * An `McpServer` that supports every published revision, unless the option `revisions` is set.
 * @example
 * ```ts
 * const server = new McpServer({ name: "greeter", version: "1.0.0" });
 * server.registerTool("greet", { description: "Greets" }, () => ({ content: [{ type: "text", text: "Hello" }] }));
 * serveStdio(server);
 * ```
 */
export class McpServer extends CoreMcpServer {
  constructor(info: Implementation, options: McpServerOptions & Partial<CoreMcpServerOptions> = {}) {
    super(info, {
      ...options,
      revisions: options.revisions ?? serverSides,
      conversions: options.conversions ?? conversions,
      findIssues: options.findIssues ?? findServerIssues,
    });
  }
}

/** A `Server` that supports every published revision, unless the option `revisions` is set. */
export class Server extends CoreServer {
  constructor(info: Implementation, options: ServerOptions & Partial<CoreServerOptions> = {}) {
    super(info, {
      ...options,
      revisions: options.revisions ?? serverSides,
      conversions: options.conversions ?? conversions,
      findIssues: options.findIssues ?? findServerIssues,
    });
  }
}
