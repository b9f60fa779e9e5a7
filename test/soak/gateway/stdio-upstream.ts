/** The process of a server on stdio. Argument: its only revision. */
import { serveStdio } from "../../../runtime/src/stdio.js";
import { upstreamServer } from "./upstream-server.js";

serveStdio(upstreamServer(process.argv[2]), { graceMs: 500 });
