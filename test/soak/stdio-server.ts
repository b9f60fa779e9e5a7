/** The process of a server on stdio. */
import { serveStdio } from "../../runtime/src/stdio.js";
import { soakServer } from "./soak-server.js";

serveStdio(soakServer(() => undefined).server, { graceMs: 500 });
