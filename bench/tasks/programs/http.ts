import { serveHttp } from "@mcpwright/runtime/node";
import { createServer } from "./server.js";

const served = await serveHttp(createServer(1_000_000, 1_000), { port: 0, host: "127.0.0.1", path: "/mcp" });
process.send?.(Number(new URL(served.url).port));
