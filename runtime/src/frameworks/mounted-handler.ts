import type { HostedServerSource } from "../http-server/hosted-server.js";
import type { McpHandlerOptions } from "../http-server/options.js";
import { SdkError } from "../jsonrpc/errors.js";
import { createMcpHandler, type McpHttpHandler } from "../server/http.js";

export interface MountOptions extends McpHandlerOptions {
  /** The paths to serve, as clients send them: with the paths of all routers around. Default: `/mcp`. */
  readonly path?: string | readonly string[];
}

/** A handler in an application, and the paths that it serves. */
export interface MountedHandler {
  readonly handler: McpHttpHandler;
  readonly paths: readonly string[];
  /** The paths of the metadata of the option `authorization`. */
  readonly publicPaths: readonly string[];
  /** Whether the handler serves a path. */
  readonly serves: (path: string) => boolean;
}

/** @throws SdkError `INVALID_CONFIGURATION` */
export function mountHandler(source: HostedServerSource, { path = "/mcp", ...options }: MountOptions): MountedHandler {
  const paths = typeof path === "string" ? [path] : path;
  if (!(Array.isArray as (value: unknown) => boolean)(paths) || paths.length === 0 || !paths.every(isPath))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `path must be a path such as "/mcp", without parameters and query, or a list of them, not ${JSON.stringify(path)}`,
    );
  const { publicPaths = [] } = options.authorization ?? {};
  const all = new Set([...paths, ...publicPaths]);
  return { handler: createMcpHandler(source, options), paths, publicPaths, serves: (one) => all.has(one) };
}

function isPath(path: unknown): boolean {
  return typeof path === "string" && /^\/[^\s?#:*{}]*$/.test(path);
}
