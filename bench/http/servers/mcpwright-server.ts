import { McpServer } from "@mcpwright/runtime/server";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { kind, reply } from "./form.js";

let traced = 0;
export const server = new McpServer(info, {
  middleware: [(_call, next) => next()],
  trace: () => traced++,
});
server.registerTool("book", { description, inputSchema }, async (booking) => ({
  content: [{ type: "text", text: priceOf(booking) }],
}));

/** With `auto`, calls whose tool sends nothing before its result get JSON replies. */
export const options = { sessions: kind !== "no sessions", responseMode: reply === "sse" ? "sse" : "auto" } as const;
