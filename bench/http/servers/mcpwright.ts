import { serveHttp } from "@mcpwright/runtime/node";
import { host, tellPort } from "./form.js";
import { options, server } from "./mcpwright-server.js";

const served = await serveHttp(server, { port: 0, host, path: "/mcp", ...options });
tellPort(Number(new URL(served.url).port));
