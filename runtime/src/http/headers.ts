/** Names of HTTP header fields in lower case, as Node and `Headers` return them. */
export const ACCEPT = "accept";
export const CONTENT_TYPE = "content-type";
export const LAST_EVENT_ID = "last-event-id";
export const METHOD = "mcp-method";
export const NAME = "mcp-name";
export const PARAM_PREFIX = "mcp-param-";
export const PROTOCOL_VERSION = "mcp-protocol-version";
export const SESSION_ID = "mcp-session-id";

export const JSON_TYPE = "application/json";
export const SSE_TYPE = "text/event-stream";
