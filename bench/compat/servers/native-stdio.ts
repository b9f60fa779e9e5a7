import { serveStdio } from "@mcpwright/runtime/stdio";
import { server } from "./server.js";

serveStdio(server);
