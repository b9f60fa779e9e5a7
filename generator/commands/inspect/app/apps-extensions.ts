import { appsExtension } from "@mcpwright/protocol/extensions/apps";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { APP_MIME_TYPE } from "@mcpwright/runtime/apps";
import type { ClientExtension } from "@mcpwright/runtime/client";

/** Declares that the client shows apps, to servers of the revisions that have them. */
export function appsExtensions(revision: string | undefined): readonly ClientExtension[] {
  if (revision !== undefined && !appsExtension.revisions.includes(revision)) return [];
  return [withSettings(appsExtension, { mimeTypes: [APP_MIME_TYPE] })];
}
