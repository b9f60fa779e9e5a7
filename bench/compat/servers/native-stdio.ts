import { serveStdio } from "@mcpwright/runtime/stdio";
import { newServer } from "./server.js";

serveStdio(newServer());
