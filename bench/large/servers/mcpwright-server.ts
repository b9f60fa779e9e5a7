import { McpServer } from "@mcpwright/runtime/server";
import { info, largeContent } from "./result.js";

export const server = new McpServer(info);
server.registerTool("large", {}, async () => ({ content: largeContent() }));
