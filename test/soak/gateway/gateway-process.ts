/** The process of a gateway: `node --expose-gc gateway-process.mjs <plan>`. */
import { heldBytes } from "../../../bench/shared/held-bytes.js";
import { createGateway, type GatewayServer } from "../../../runtime/src/gateway.js";
import { serveHttp } from "../../../runtime/src/node.js";
import { serveStdio, StdioClientTransport } from "../../../runtime/src/stdio.js";
import { type GatewayPlan, type GatewayState, upstreamNames, upstreams } from "./messages.js";

const plan = JSON.parse(process.argv[2] ?? "") as GatewayPlan;
const limits = { timeoutMs: 5_000, connectTimeoutMs: 20_000, listTimeoutMs: 20_000, idleMs: 1_000 };
const servers: Record<string, GatewayServer> = {};
for (const name of upstreamNames) {
  const { transport, revision } = upstreams[name];
  const args = [plan.stdioUpstream, ...(revision === undefined ? [] : [revision])];
  servers[name] =
    transport === "stdio"
      ? { ...limits, transport: () => new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }) }
      : { ...limits, url: `http://127.0.0.1:${plan.ports[name]}/mcp` };
}
const gateway = createGateway({ servers, onerror: () => undefined });
const alarms: string[] = [];
process.on("warning", (warning) => alarms.push(warning.stack ?? String(warning)));
process.on("unhandledRejection", (reason) => alarms.push(`unhandled: ${String(reason)}`));

async function state(): Promise<GatewayState> {
  const heapBytes = await heldBytes();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return {
    heapBytes,
    clients: gateway.server.connections.size,
    connections: gateway.servers.reduce((sum, { connections }) => sum + connections, 0),
    resources,
    alarms,
  };
}

if (plan.transport === "stdio") serveStdio(gateway, { graceMs: 500 });
else {
  const served = await serveHttp(gateway, { port: 0, sessions: { idleMs: 3_000 }, keepAliveMs: 1_000 });
  process.on("message", (question) => {
    if (question === "state") void state().then((now) => process.send?.(now));
    else void served.close().then(() => process.disconnect());
  });
  process.once("disconnect", () => process.exit(0));
  process.send?.(Number(served.url.port));
}
