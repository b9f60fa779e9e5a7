export * from "./server-legacy/auth.js";
export { SSEServerTransport } from "./server-legacy/sse.js";
export type { SSEServerTransportOptions } from "./server-legacy/sse.js";
