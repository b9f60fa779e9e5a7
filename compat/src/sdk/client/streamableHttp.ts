export { StreamableHTTPClientTransport } from "../../client/streamable-http.js";
