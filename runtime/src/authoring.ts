// The one place that names the authoring revision: the types in which servers and clients are written, whatever
// revision their peers speak. Moving it on is a major version.
import type { PROTOCOL_VERSION } from "@mcpwright/protocol/2026-07-28";

export type * from "@mcpwright/protocol/2026-07-28";

/** What is converted for peers that speak another revision. */
// eslint-disable-next-line no-restricted-syntax -- this is the file that names it
export const authoringRevision: typeof PROTOCOL_VERSION = "2026-07-28";
