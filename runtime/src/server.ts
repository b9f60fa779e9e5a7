import { conversions } from "@mcpwright/protocol/conversions";
import { findServerIssues } from "@mcpwright/protocol/server-issues";
import { serverSides } from "@mcpwright/protocol/server-sides";
import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { Implementation } from "./authoring.js";
import type { AnyExtensions, AnyRevisions } from "./connection/known-messages.js";
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
export class McpServer<
  const Sides extends readonly Side[] = AnyRevisions,
  const Extensions extends readonly Extension[] = AnyExtensions,
> extends CoreMcpServer<Sides, Extensions> {
  constructor(
    info: Implementation,
    options: McpServerOptions<Extensions> & Partial<CoreMcpServerOptions<Sides, Extensions>> = {},
  ) {
    super(info, withEveryRevision(options) as CoreMcpServerOptions<Sides, Extensions>);
  }
}

/** A `Server` that supports every published revision, unless the option `revisions` is set. */
export class Server<
  const Sides extends readonly Side[] = AnyRevisions,
  const Extensions extends readonly Extension[] = AnyExtensions,
> extends CoreServer<Sides, Extensions> {
  constructor(
    info: Implementation,
    options: ServerOptions<Extensions> & Partial<CoreServerOptions<Sides, Extensions>> = {},
  ) {
    super(info, withEveryRevision(options) as CoreServerOptions<Sides, Extensions>);
  }
}

function withEveryRevision(options: Partial<CoreServerOptions>): CoreServerOptions {
  return {
    ...options,
    revisions: options.revisions ?? serverSides,
    conversions: options.conversions ?? conversions,
    findIssues: options.findIssues ?? findServerIssues,
  };
}
