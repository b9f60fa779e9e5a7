/** A gateway on stdio in front of the server on stdio. Argument: the revision of the server. */
import { createGateway } from "@mcpwright/runtime/gateway";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { bookingServers } from "./booking-servers.js";

serveStdio(createGateway({ servers: bookingServers(process.argv[2] ?? ""), names: "none" }));
