import { fileURLToPath } from "node:url";
import type { GatewayServer } from "@mcpwright/runtime/gateway";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

const script = fileURLToPath(new URL("booking.js", import.meta.url));

/** The server on stdio behind a gateway. @param args of the server */
export function bookingServers(...args: readonly string[]): Readonly<Record<string, GatewayServer>> {
  return {
    booking: { transport: () => new StdioClientTransport({ command: process.execPath, args: [script, ...args] }) },
  };
}
