export {
  META_BAGGAGE as BAGGAGE_META_KEY,
  META_CLIENT_CAPABILITIES as CLIENT_CAPABILITIES_META_KEY,
  META_CLIENT_INFO as CLIENT_INFO_META_KEY,
  META_LOG_LEVEL as LOG_LEVEL_META_KEY,
  META_PROTOCOL_VERSION as PROTOCOL_VERSION_META_KEY,
  META_RELATED_TASK as RELATED_TASK_META_KEY,
  META_SERVER_INFO as SERVER_INFO_META_KEY,
  META_SUBSCRIPTION_ID as SUBSCRIPTION_ID_META_KEY,
  META_TRACEPARENT as TRACEPARENT_META_KEY,
  META_TRACESTATE as TRACESTATE_META_KEY,
} from "@mcpwright/protocol/names";

/** The version of JSON-RPC in each message. */
export const JSONRPC_VERSION = "2.0";

/** The newest protocol version whose connections open with `initialize`. */
export const LATEST_PROTOCOL_VERSION = "2025-11-25";

/** The protocol version of HTTP requests without a header that names one. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION = "2025-03-26";

/** The protocol versions whose connections open with `initialize`, the newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: string[] = [
  LATEST_PROTOCOL_VERSION,
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
