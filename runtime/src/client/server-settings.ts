import type { Extension, ExtensionTypes } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";
import type { ClientConnection } from "./client-connection.js";

/**
 * Returns the settings that the server of an open connection declares for an extension.
 * @returns undefined if the server does not declare the extension, or if the settings are invalid, which is reported to `onerror`
 * @throws SdkError `NOT_CONNECTED`
 * @example
 * ```ts
 * const maxItems = serverSettings(rankExtension, client)?.maxItems ?? 10;
 * ```
 */
export function serverSettings<Types extends ExtensionTypes>(
  extension: Extension<Types>,
  { connection }: { readonly connection: ClientConnection },
): Types["serverSettings"] | undefined {
  const { id } = extension;
  const settings = ownMember<unknown>(connection.negotiated?.serverCapabilities.extensions, id);
  if (settings === undefined) return undefined;
  if (extension.server.settings(settings)) return settings as Types["serverSettings"];
  connection.report(
    new SdkError("INVALID_MESSAGE", `the settings of the server for ${id} do not match its schema`, settings),
  );
  return undefined;
}
