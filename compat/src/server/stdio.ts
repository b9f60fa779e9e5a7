export { StdioServerTransport } from "@mcpwright/runtime/stdio";
