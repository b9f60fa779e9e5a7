export { SSEClientTransport, SseError, type SSEClientTransportOptions } from "../../client/sse.js";
