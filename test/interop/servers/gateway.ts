/**
 * A gateway in front of one server. Arguments: the transport to clients, and the server as JSON (`GatewayTarget`). Over HTTP, it prints its
 * URL.
 */
import { createGateway, type GatewaySource } from "@mcpwright/runtime/gateway";
import { serveHttp } from "@mcpwright/runtime/node";
import { serveStdio, StdioClientTransport } from "@mcpwright/runtime/stdio";
import { type GatewayTarget, serverName } from "../gateway/gateway-target.js";
import { tell } from "./listen.js";

const [, , transport, json = ""] = process.argv;
const gateway = createGateway({
  servers: { [serverName]: sourceOf(JSON.parse(json) as GatewayTarget) },
  onerror: (error) => console.error(error),
});
if (transport === "stdio") serveStdio(gateway);
else tell(Number((await serveHttp(gateway, { port: 0, host: "127.0.0.1" })).url.port));

function sourceOf(target: GatewayTarget): GatewaySource {
  if ("url" in target) return target;
  const { command, env } = target;
  const [program, ...args] = command;
  return { transport: () => new StdioClientTransport({ command: program, args, env, stderr: "ignore" }) };
}
