import type { Extension, ExtensionTypes } from "@mcpwright/protocol/contract";
import { ownMember } from "../jsonrpc/guards.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { ServerContext } from "./contracts.js";

/**
 * Returns the settings that the client of a request declares for an extension.
 * @returns undefined if the client does not declare the extension, or if the settings are invalid, which is reported to `onerror`
 * @example
 * ```ts
 * server.handle({ "tools/rank": (_params, context) => ({ order: [clientSettings(rankExtension, context)?.locale ?? "en"] }) });
 * ```
 */
export function clientSettings<Types extends ExtensionTypes>(
  extension: Extension<Types>,
  { client, connection }: Pick<ServerContext, "client" | "connection">,
): Types["clientSettings"] | undefined {
  const { id } = extension;
  const settings = ownMember<unknown>(client.capabilities.extensions, id);
  if (settings === undefined) return undefined;
  if (extension.client.settings(settings)) return settings as Types["clientSettings"];
  connection.report(
    new SdkError("INVALID_MESSAGE", `the settings of the client for ${id} do not match its schema`, settings),
  );
  return undefined;
}
