// The one place that names the authoring revision: the types in which servers and clients are written, whatever
// revision their peers speak. Moving it on is a major version.
export type * from "@mcpwright/protocol/2026-07-28";
