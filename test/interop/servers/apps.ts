/** Our server with apps. Arguments: the transport, and the only revision to support. */
import { serverSides } from "@mcpwright/protocol/server-sides";
import { apps, registerAppResource, registerAppTool, showsApps } from "@mcpwright/runtime/apps";
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { appMeta, appUri, html, structuredContent, texts, tools } from "../apps/facts.js";
import { info, said } from "./fixture.js";
import { tell } from "./listen.js";

const [, , transport, only] = process.argv;

const server = new McpServer(info, {
  revisions: serverSides.filter(({ revision }) => only === undefined || revision === only),
  extensions: [apps()],
  onerror: (error) => console.error(error),
});

registerAppResource(server, "Chart", appUri, { _meta: { ui: appMeta } }, html);
for (const { name, ui } of tools)
  registerAppTool(server, name, { _meta: { ui } }, (context) => ({
    ...said(showsApps(context) ? texts.withApps : texts.withoutApps),
    structuredContent,
  }));

if (transport === "stdio") serveStdio(server);
else {
  const { url } = await serveHttp(server, { port: 0, host: "127.0.0.1", path: "/mcp" });
  tell(Number(new URL(url).port));
}
