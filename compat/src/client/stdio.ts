export { StdioClientTransport } from "@mcpwright/runtime/stdio";
