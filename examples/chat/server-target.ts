import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

/** What runs a script, by its extension. */
const interpreters: Readonly<Record<string, readonly [string, ...string[]]>> = {
  js: [process.execPath],
  // With the loader that runs this very program.
  ts: [process.execPath, ...process.execArgv],
  py: [process.platform === "win32" ? "python" : "python3"],
};

/** The way to a server that the user has named: a script to start, or a URL. @throws Error for anything else */
export function transportTo(target: string): StdioClientTransport | StreamableHTTPClientTransport {
  if (/^https?:/.test(target)) return new StreamableHTTPClientTransport(target);
  const [command, ...args] = interpreters[/\.(\w+)$/.exec(target)?.[1] ?? ""] ?? [];
  if (command === undefined) throw new Error(`${target} is neither a .js, .ts or .py file nor a URL`);
  return new StdioClientTransport({ command, args: [...args, target] });
}
