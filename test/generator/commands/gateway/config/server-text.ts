import type { ServerConfig } from "../../../../../generator/commands/gateway/config/gateway-config.js";
import { formatProblem } from "../../../../../generator/commands/gateway/config/format-problem.js";
import { readGatewayConfig } from "../../../../../generator/commands/gateway/config/read-config.js";

/** The configuration of a server named `a`, whose fields are valid. */
export function serverConfig(fields: object, inputs: readonly object[] = []): ServerConfig {
  const gateway = { authorization: { resource: "https://h/mcp", issuer: "https://h" } };
  const text = JSON.stringify({ mcpServers: { a: fields }, inputs, gateway });
  const { config, problems } = readGatewayConfig(text, { path: "g.json" });
  const server = config?.servers[0];
  if (!server) throw new Error(problems.map(formatProblem).join("\n"));
  return server;
}
