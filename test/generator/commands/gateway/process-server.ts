/** A server whose tools say in which process they run. */
import { McpServer } from "../../../../runtime/src/server.js";
import { serveStdio } from "../../../../runtime/src/stdio.js";

const server = new McpServer({ name: "process", version: "1.0.0" });
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
server.registerTool("pid", {}, () => text(String(process.pid)));
server.registerTool("variable", {}, () => text(process.env["GATEWAY_TEST"] ?? "unset"));
server.registerTool("folder", {}, () => text(process.cwd()));
const added = process.env["GATEWAY_TEST_TOOL"];
if (added !== undefined) server.registerTool(added, {}, () => text("added"));
process.stderr.write("ready\u001b[31m\n");
serveStdio(server);
