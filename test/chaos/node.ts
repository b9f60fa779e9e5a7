/** The process of a node: `node --expose-gc node.mjs <URL of Redis> <idleMs>`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "redis";
import { heldBytes } from "../../bench/shared/held-bytes.js";
import { toNodeHandler } from "../../runtime/src/node.js";
import { redisBackplane } from "../../runtime/src/redis.js";
import { createMcpHandler } from "../../runtime/src/server/http.js";
import { chaosServer } from "./chaos-server.js";
import type { FromNode } from "./messages.js";
import { issuer, prefix, principalHeader, streamTtlMs } from "./model.js";

const [, , url = "", idleMs = ""] = process.argv;
/** How often calls are reported, in milliseconds. */
const everyMs = 50;

const tell = (message: FromNode): void => void process.send?.(message);
let executed: string[] = [];
setInterval(() => {
  if (executed.length > 0) tell({ type: "executed", nonces: executed });
  executed = [];
}, everyMs);

const client = createClient({ url, socket: { reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 500) } });
client.on("error", () => undefined);
await client.connect();
const server = chaosServer(
  redisBackplane(client, { prefix }),
  (nonce) => executed.push(nonce),
  (error) => tell({ type: "report", text: `${error.name} ${error.message}` }),
);
const handler = createMcpHandler(server, {
  sessions: { idleMs: Number(idleMs) },
  resumption: { ttlMs: streamTtlMs },
  keepAliveMs: 2_000,
  retryInterval: 100,
});
const handle = toNodeHandler(handler);
const http = createServer((request, response) => {
  const subject = request.headers[principalHeader];
  handle(request, response, {
    principal: typeof subject === "string" ? { issuer, subject } : undefined,
  });
});
await once(http.listen(0, "127.0.0.1"), "listening");

process.on("message", () => {
  void heldBytes().then((heapBytes) => tell({ type: "measured", heapBytes }));
});
// The driver has ended.
process.on("disconnect", () => process.exit());
tell({ type: "ready", port: (http.address() as AddressInfo).port });
