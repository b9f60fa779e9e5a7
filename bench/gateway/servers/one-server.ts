/** One server with all tools. Argument: their number. */
import { serveStdio } from "@mcpwright/runtime/stdio";
import { serverWith } from "./many-tools.js";

serveStdio(serverWith(Number(process.argv[2]), 0));
