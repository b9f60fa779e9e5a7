import type { GatewayRunOptions } from "./serve-gateway.js";

export type { GatewayHttpOptions } from "./http-options.js";
export type { GatewayRunOptions } from "./serve-gateway.js";
export type { GatewaySourceOptions } from "./gateway-source.js";

/**
 * Serves the servers of a configuration, a command or a server at a URL, over stdio or HTTP. An edit of the configuration replaces the
 * servers without losing clients. Resolves when the client, a signal of the process or `signal` has ended the gateway.
 * @example
 * ```ts
 * await gateway({ config: "gateway.json", http: { port: 3000 }, tell: (line) => console.error(line) });
 * ```
 * @throws DiagnosticError gateway-*, config-not-readable, target-url-invalid, token-unencrypted
 */
export async function gateway(options: GatewayRunOptions): Promise<void> {
  const { serveGateway } = await import("./serve-gateway.js");
  await serveGateway(options);
}
