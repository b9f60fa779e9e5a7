/** A gateway in front of servers of the same process. Arguments: the number of all tools, that of the servers. */
import { createGateway, type GatewayServer } from "@mcpwright/runtime/gateway";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { serverWith } from "./many-tools.js";

const [tools = 0, count = 0] = process.argv.slice(2).map(Number);
const each = tools / count;
const servers: Record<string, GatewayServer> = {};
for (let at = 0; at < count; at++) servers[`s${at}`] = { server: serverWith(each, at * each) };
serveStdio(createGateway({ servers }));
