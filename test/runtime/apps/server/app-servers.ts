/** Servers with apps, and clients that show them. */
import { appsExtension, EXTENSION_ID } from "@mcpwright/protocol/extensions/apps";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { APP_MIME_TYPE, apps } from "../../../../runtime/src/apps.js";
import type { ClientOptions } from "../../../../runtime/src/client.js";
import { McpServer, type McpServerOptions } from "../../../../runtime/src/server.js";
import { info } from "../../api/pair.js";

export const chartUri = "ui://weather/chart";
export const chart = "<!doctype html><title>Chart</title>";

/** The options of a client that shows apps. */
export const showing: ClientOptions = {
  extensions: [withSettings(appsExtension, { mimeTypes: [APP_MIME_TYPE] })],
};

/** The options of clients that do not show apps. */
export const notShowing: readonly (readonly [string, ClientOptions])[] = [
  ["no extension", {}],
  ["no settings", { extensions: [appsExtension] }],
  ["other types", { extensions: [withSettings(appsExtension, { mimeTypes: ["text/html"] })] }],
  ["invalid settings", { capabilities: { extensions: { [EXTENSION_ID]: { mimeTypes: APP_MIME_TYPE } } } }],
];

export function appServer(options: McpServerOptions = {}): { server: McpServer; errors: Error[] } {
  const errors: Error[] = [];
  const server = new McpServer(info, { extensions: [apps()], onerror: (error) => errors.push(error), ...options });
  return { server: server, errors };
}
