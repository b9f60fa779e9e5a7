/** A server with apps that behave in several ways, over stdio. */
import { APPS_PROTOCOL_VERSION } from "@mcpwright/protocol/extensions/apps";
import { apps, registerAppResource, registerAppTool } from "@mcpwright/runtime/apps";
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";

const server = new McpServer({ name: "apps", version: "1.0.0" }, { extensions: [apps()] });
registerAppResource(server, "Silent", "ui://apps/silent", {}, "<!doctype html><p>It never connects</p>");
registerAppTool(server, "silent", { _meta: { ui: { resourceUri: "ui://apps/silent" } } }, () => ({
  content: [{ type: "text", text: "silent" }],
}));
/** An app that connects, and then runs a script. */
const connecting = (script: string): string => `<!doctype html><p>Connected</p><script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data }) => {
  if (data.id !== 1) return;
  send({ method: "ui/notifications/initialized" });
  ${script}
});
send({ id: 1, method: "ui/initialize", params: { protocolVersion: "${APPS_PROTOCOL_VERSION}", appCapabilities: {}, appInfo: { name: "app", version: "1" } } });
</script>`;
const resizing = `let height = 100;
  setInterval(() => send({ method: "ui/notifications/size-changed", params: { height: height++ } }), 100);`;
registerAppResource(server, "Restless", "ui://apps/restless", {}, connecting(resizing));
registerAppTool(server, "restless", { _meta: { ui: { resourceUri: "ui://apps/restless" } } }, () => ({
  content: [{ type: "text", text: "restless" }],
}));
const ending = `${resizing}
  send({ id: 2, method: "tools/call", params: { name: "exit" } });`;
registerAppResource(server, "Ending", "ui://apps/ending", {}, connecting(ending));
registerAppTool(server, "ending", { _meta: { ui: { resourceUri: "ui://apps/ending" } } }, () => ({
  content: [{ type: "text", text: "ending" }],
}));
registerAppTool(server, "exit", { _meta: { ui: { visibility: ["app"] } } }, () => process.exit(3));
registerAppTool(server, "refresh", { _meta: { ui: { visibility: ["app"] } } }, () => ({
  content: [{ type: "text", text: "fresh" }],
}));
server.registerTool("plain", {}, () => ({ content: [{ type: "text", text: "plain" }] }));
serveStdio(server);
