/** The server without authorization, whose handler also awaits one `verify` of WebCrypto: what a DPoP proof needs in any server. */
import { McpServer } from "@mcpwright/runtime/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { proofSignature } from "../webcrypto.js";
import { host, tellPort } from "./form.js";
import { options } from "./mcpwright-server.js";

const verify = await proofSignature();
let traced = 0;
const server = new McpServer(info, {
  middleware: [(_call, next) => next()],
  trace: () => traced++,
});
server.registerTool("book", { description, inputSchema }, async (booking) => {
  if (!(await verify())) throw new Error("the signature does not match");
  return { content: [{ type: "text", text: priceOf(booking) }] };
});

const served = await serveHttp(server, { port: 0, host, path: "/mcp", ...options });
tellPort(Number(new URL(served.url).port));
