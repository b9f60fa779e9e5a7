import { serveStdio } from "@mcpwright/runtime/stdio";
import { server } from "./mcpwright-server.js";

serveStdio(server);
