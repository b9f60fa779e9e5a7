/** Compiles only when the runtime and the generated code have the same contract number. */
import { CONTRACT } from "@mcpwright/protocol/contract";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { McpServer } from "@mcpwright/runtime/server/core";

export const server = new McpServer({ name: "trial", version: "1.0.0" }, { revisions: serverSides });
console.log(JSON.stringify({ CONTRACT, sides: serverSides.map(({ revision, contract }) => [revision, contract]) }));
