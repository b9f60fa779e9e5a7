export { toNodeHandler } from "@mcpwright/runtime/node";
