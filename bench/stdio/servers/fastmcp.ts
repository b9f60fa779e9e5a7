import { FastMCP } from "fastmcp";
import { description, info, inputSchema, priceOf, toolNames } from "./booking.js";

const server = new FastMCP({ name: info.name, version: "1.0.0" });
for (const name of toolNames())
  server.addTool({ name, description, parameters: inputSchema, execute: async (booking) => priceOf(booking) });
await server.start({ transportType: "stdio" });
