// The only file that names the authoring revision, whose types servers and clients use for peers of all revisions. Changing
// it requires a new major version.
import type { PROTOCOL_VERSION } from "@mcpwright/protocol/2026-07-28";

export type * from "@mcpwright/protocol/2026-07-28";

/** The revision of the types that servers and clients use; messages are converted for peers of other revisions. */
// eslint-disable-next-line no-restricted-syntax -- only this file names it
export const authoringRevision: typeof PROTOCOL_VERSION = "2026-07-28";
