/** The version of JSON-RPC in each message. */
export const JSONRPC_VERSION = "2.0";
