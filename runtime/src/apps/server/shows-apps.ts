import { EXTENSION_ID } from "@mcpwright/protocol/extensions/apps";
import { isObject, ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../../server/contracts.js";
import { APP_MIME_TYPE } from "../app-mime-type.js";

/**
 * Whether the client of a request shows apps: it declares the extension, with the MIME type of apps among its `mimeTypes`. For other
 * clients, a tool can return a text that replaces what the app would show.
 * @example
 * ```ts
 * const handler = (context: ServerContext) => {
 *   const text = showsApps(context) ? "The chart shows the forecast." : forecast.map(lineOf).join("\n");
 *   return { content: [{ type: "text", text }], structuredContent: { forecast } };
 * };
 * ```
 */
export function showsApps({ client }: Pick<ServerContext, "client">): boolean {
  const settings = ownMember<unknown>(client.capabilities.extensions, EXTENSION_ID);
  const types = isObject(settings) ? settings["mimeTypes"] : undefined;
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}
