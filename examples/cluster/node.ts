/**
 * One node: serves MCP at `/mcp`, and for operators `/healthz`, `/readyz` and `/metrics`. It is configured by its environment:
 * `REDIS_URL`, `STATE_KEY` (32 random bytes, base64, the same at all nodes), `PORT`, `HOST`, `ALLOWED_HOSTS` (with commas) and `NODE_NAME`.
 */
import type { RequestListener } from "node:http";
import { hostname } from "node:os";
import { type HttpServerHandle, serveHttp } from "@mcpwright/runtime/node";
import { healthChecks } from "@mcpwright/runtime/operations";
import { redisBackplane } from "@mcpwright/runtime/redis";
import { createClient } from "redis";
import { Metrics } from "./metrics.js";
import { clusterServer } from "./server.js";

function setting(name: string, example: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  console.error(`Set the environment variable ${name}, for example to ${example}`);
  process.exit(2);
}

const redisUrl = setting("REDIS_URL", "redis://localhost:6379");
const stateKey = setting("STATE_KEY", "the output of: openssl rand -base64 32");
const { PORT = "0", HOST = "127.0.0.1", ALLOWED_HOSTS = "localhost,127.0.0.1", NODE_NAME = hostname() } = process.env;

const client = createClient({ url: redisUrl });
client.on("error", (error: Error) => console.error(`${NODE_NAME}: Redis: ${error.message}`));
await client.connect();
const backplane = redisBackplane(client, { prefix: "cluster:" });

const metrics = new Metrics();
const note = {
  read: async () => (await client.get("cluster-note")) ?? "",
  write: async (text: string) => {
    await client.set("cluster-note", text, { EX: 86_400 });
  },
};
const server = clusterServer(NODE_NAME, note, {
  backplane,
  stateKeys: [{ id: "1", key: Buffer.from(stateKey, "base64") }],
  middleware: [metrics.middleware],
  onerror: (error) => console.error(`${NODE_NAME}: ${error.message}`),
});

let served: HttpServerHandle | undefined = undefined;
const health = healthChecks(() => served?.handler);

/** Routes for operators. Requests for them are not checked, so they must reveal nothing to strangers. */
const forOperators: RequestListener = (request, response) => {
  if (request.url !== "/metrics") health.listener(request, response);
  else response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(metrics.toText());
};

served = await serveHttp(server, {
  port: Number(PORT),
  host: HOST,
  allowedHosts: ALLOWED_HOSTS.split(","),
  graceMs: 10_000,
  fallback: forOperators,
});
console.error(`${NODE_NAME} serves at ${served.url.href}`);

await served.closed;
await server.close();
backplane.close();
client.destroy();
