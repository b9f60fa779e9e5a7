/** A process of the crash test: a server whose tools run as tasks, over HTTP. It reports its port. */
import { randomInt } from "node:crypto";
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import Libsql from "libsql";
import { toNodeHandler } from "../../runtime/src/node.js";
import { McpServer } from "../../runtime/src/server.js";
import { createMcpHandler } from "../../runtime/src/server/http.js";
import { tasks } from "../../runtime/src/tasks.js";
import { SqliteTaskStore } from "../../runtime/src/tasks/sqlite.js";
import type { Ready } from "./processes.js";
import { leaseMs, owners, tools, unlimited, userHeader } from "./settings.js";

const [path = ""] = process.argv.slice(2);
const store = new SqliteTaskStore(new Libsql(path), { ...unlimited, pollIntervalMs: 20 });
const server = new McpServer(
  { name: "crashing", version: "1.0.0" },
  { extensions: [tasks({ store, leaseMs, ttlMs: null, maxAttempts: Infinity })] },
);
for (const [name, restartable] of Object.entries(tools))
  server.registerTool(name, { task: { support: "required", restartable } }, async (context) => {
    await setTimeout(randomInt(30));
    const answer = await context.elicit("sure", {
      message: "Sure?",
      requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
    });
    await setTimeout(randomInt(30));
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  });

const handle = toNodeHandler(createMcpHandler(server));
const http = createServer((request, response) => {
  const principal = owners[Number(request.headers[userHeader])] ?? undefined;
  handle(request, response, { principal });
});
http.listen(0, "127.0.0.1", () => {
  const line: Ready = { ready: (http.address() as AddressInfo).port };
  writeSync(1, `${JSON.stringify(line)}\n`);
});
