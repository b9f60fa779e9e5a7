/** A gateway on HTTP in front of the server on stdio. Argument: the form of the replies. */
import { createGateway } from "@mcpwright/runtime/gateway";
import { serveHttp } from "@mcpwright/runtime/node";
import { bookingServers } from "./booking-servers.js";

const [, , reply] = process.argv;
const gateway = createGateway({ servers: bookingServers(), names: "none" });
const { url } = await serveHttp(gateway, { port: 0, responseMode: reply === "sse" ? "sse" : "auto" });
process.send?.(Number(new URL(url).port));
