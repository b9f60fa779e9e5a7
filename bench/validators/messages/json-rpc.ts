import type { Revision } from "../contract.js";
import { implementation, type Json, requestEnvelope, requestMeta, resultEnvelope } from "./envelope.js";
import { textBlock } from "./content.js";

/** Requests, notifications, results and errors in turn. */
export function jsonRpcMessage(revision: Revision, index: number): Json {
  switch (index % 4) {
    case 0:
      return {
        ...requestEnvelope(index),
        method: "tools/call",
        params: { name: "search", arguments: { query: "orders", limit: index }, _meta: requestMeta(revision, index) },
      };
    case 1:
      return {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: `progress-${index}`, progress: index, total: 10, message: "Reading the archive" },
      };
    case 2:
      return {
        ...requestEnvelope(index),
        result: { ...resultEnvelope(revision, index), content: [textBlock(index)], serverInfo: implementation(index) },
      };
    default:
      return {
        ...requestEnvelope(index),
        error: { code: -32602, message: "Unknown tool: serach", data: index > 4 ? { name: "serach" } : undefined },
      };
  }
}
