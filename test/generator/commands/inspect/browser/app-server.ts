/** A server with apps that behave in several ways, over stdio. */
import { apps, registerAppResource, registerAppTool } from "@mcpwright/runtime/apps";
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";

const server = new McpServer({ name: "apps", version: "1.0.0" }, { extensions: [apps()] });
registerAppResource(server, "Silent", "ui://apps/silent", {}, "<!doctype html><p>It never connects</p>");
registerAppTool(server, "silent", { _meta: { ui: { resourceUri: "ui://apps/silent" } } }, () => ({
  content: [{ type: "text", text: "silent" }],
}));
registerAppTool(server, "refresh", { _meta: { ui: { visibility: ["app"] } } }, () => ({
  content: [{ type: "text", text: "fresh" }],
}));
server.registerTool("plain", {}, () => ({ content: [{ type: "text", text: "plain" }] }));
serveStdio(server);
