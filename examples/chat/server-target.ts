import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

/** The command that runs a script, by file extension. */
const interpreters: Readonly<Record<string, readonly [string, ...string[]]>> = {
  js: [process.execPath],
  // With the loader of the current process, such as tsx.
  ts: [process.execPath, ...process.execArgv],
  py: [process.platform === "win32" ? "python" : "python3"],
};

/** Creates the transport to a script, which it starts, or to a URL. @throws Error for any other target */
export function transportTo(target: string): StdioClientTransport | StreamableHTTPClientTransport {
  if (/^https?:/.test(target)) return new StreamableHTTPClientTransport(target);
  const [command, ...args] = interpreters[/\.(\w+)$/.exec(target)?.[1] ?? ""] ?? [];
  if (command === undefined) throw new Error(`${target} is not a .js, .ts or .py file, and not an HTTP URL`);
  return new StdioClientTransport({ command, args: [...args, target] });
}
