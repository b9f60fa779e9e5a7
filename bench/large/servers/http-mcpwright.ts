import { serveHttp } from "@mcpwright/runtime/node";
import { server } from "./mcpwright-server.js";

const served = await serveHttp(server, { host: "127.0.0.1", sessions: false });
process.send?.(Number(served.url.port));
