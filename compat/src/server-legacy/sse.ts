export { SSEServerTransport } from "../sdk/server/sse.js";
export type { SSEServerTransportOptions } from "../sdk/server/sse.js";
