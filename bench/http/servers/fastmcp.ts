import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { FastMCP } from "fastmcp";
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
const port = await freePort();
await server.start({
  transportType: "httpStream",
  httpStream: { port, host, stateless: kind === "no sessions", enableJsonResponse: reply === "json" },
});
tellPort(port);

/** Finds a free port first, because fastmcp does not report the one that it listens on. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
