export { CONTRACT } from "@mcpwright/protocol/contract";
export type * from "@mcpwright/protocol/contract";
