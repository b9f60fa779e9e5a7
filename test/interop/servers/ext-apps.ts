/** A server of SDK 2.x whose apps the official helpers register, over stdio. */
import {
  getUiCapability,
  registerAppResource,
  registerAppTool,
  RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/server";
import { type ClientCapabilities, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { appMeta, appUri, html, structuredContent, texts, tools } from "../apps/facts.js";
import { info, said } from "./fixture.js";

serveStdio(() => {
  const server = new McpServer(info);
  registerAppResource(server, "Chart", appUri, { _meta: { ui: appMeta } }, () => ({
    contents: [{ uri: appUri, mimeType: RESOURCE_MIME_TYPE, text: html, _meta: { ui: appMeta } }],
  }));
  for (const { name, ui } of tools)
    registerAppTool(server, name, { _meta: { ui } }, ({ mcpReq }) => {
      const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
      const capabilities = envelope?.["io.modelcontextprotocol/clientCapabilities"] as ClientCapabilities | undefined;
      const declared = getUiCapability(capabilities ?? server.server.getClientCapabilities());
      const showsApps = declared?.mimeTypes?.includes(RESOURCE_MIME_TYPE) === true;
      return { ...said(showsApps ? texts.withApps : texts.withoutApps), structuredContent };
    });
  return server;
});
