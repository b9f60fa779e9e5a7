import { FastMCP } from "fastmcp";
import { freePort } from "../../../scripts/free-port.js";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { host, kind, reply, tellPort } from "./form.js";

const quiet = { debug() {}, error() {}, info() {}, log() {}, warn() {} };
const server = new FastMCP({ name: info.name, version: "1.0.0", logger: quiet });
server.addTool({
  name: "book",
  description,
  parameters: inputSchema,
  execute: async (booking) => priceOf(booking),
});
// fastmcp does not report the port that it listens on.
const port = await freePort();
await server.start({
  transportType: "httpStream",
  httpStream: { port, host, stateless: kind === "no sessions", enableJsonResponse: reply === "json" },
});
tellPort(port);
