import { serveHttp } from "@mcpwright/runtime/node";
import type { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";

/** Serves over stdio, or with `--http <port>` over HTTP; port 0 selects a free port. Logs go to standard error. */
export async function serve(server: McpServer, args: readonly string[] = process.argv.slice(2)): Promise<void> {
  const [flag, port] = args;
  if (flag === "--http" && port !== undefined && /^\d{1,5}$/.test(port)) {
    const { url } = await serveHttp(server, { port: Number(port) });
    console.error(`serving at ${url.href}`);
  } else if (flag === undefined) {
    serveStdio(server);
    console.error("serving on stdio");
  } else {
    console.error("Usage: main.ts [--http <port>]");
    process.exitCode = 2;
  }
}
