import { eraOf } from "@mcpwright/runtime/server";
import { META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { isInitializeRequest, isJSONRPCNotification, isJSONRPCRequest } from "../types/index.js";
import type { JSONRPCNotification, JSONRPCRequest, MessageClassification } from "../types/index.js";

export interface InboundHttpRequest {
  httpMethod: string;
  protocolVersionHeader?: string;
  mcpMethodHeader?: string;
  mcpNameHeader?: string;
  /** The parsed body. */
  body?: unknown;
}

export type InboundLegacyRouteReason =
  "http-method" | "initialize" | "no-claim" | "notification" | "batch" | "response";

/** A request of a client with a handshake. */
export interface InboundLegacyRoute {
  kind: "legacy";
  reason: InboundLegacyRouteReason;
  requestedVersion?: string;
}

/** A message that describes its client. */
export type InboundModernRoute =
  | { kind: "modern"; messageKind: "request"; message: JSONRPCRequest; classification: MessageClassification }
  | {
      kind: "modern";
      messageKind: "notification";
      message: JSONRPCNotification;
      classification: MessageClassification;
    };

export type InboundValidationRung =
  | "http-method"
  | "jsonrpc-shape"
  | "era-classification"
  | "envelope"
  | "method-registry"
  | "request-params"
  | "standard-header-validation"
  | "client-capabilities"
  | "param-header-validation";

/** A request to refuse. */
export interface InboundLadderRejection {
  kind: "reject";
  rung: InboundValidationRung;
  cell: string;
  httpStatus: number;
  code: number;
  message: string;
  data?: unknown;
  settled: boolean;
}

export type InboundClassificationOutcome = InboundLegacyRoute | InboundModernRoute | InboundLadderRejection;

/** Decides which era an HTTP request belongs to. Its headers are checked where it is served. */
export function classifyInboundRequest(request: InboundHttpRequest): InboundClassificationOutcome {
  const { body, httpMethod, protocolVersionHeader } = request;
  if (httpMethod.toUpperCase() !== "POST") return { kind: "legacy", reason: "http-method" };
  if (Array.isArray(body)) return { kind: "legacy", reason: "batch" };
  const isRequest = isJSONRPCRequest(body);
  if (!isRequest && !isJSONRPCNotification(body))
    return "result" in Object(body) || "error" in Object(body) ? { kind: "legacy", reason: "response" } : malformed;
  if (eraOf(body) === "stateless") {
    const classification: MessageClassification = {
      era: "modern",
      revision: String(body.params?._meta?.[META_PROTOCOL_VERSION]),
    };
    return isRequest
      ? { kind: "modern", messageKind: "request", message: body, classification }
      : { kind: "modern", messageKind: "notification", message: body, classification };
  }
  if (isInitializeRequest(body))
    return { kind: "legacy", reason: "initialize", requestedVersion: body.params.protocolVersion };
  const version = protocolVersionHeader === undefined ? {} : { requestedVersion: protocolVersionHeader };
  return { kind: "legacy", reason: isRequest ? "no-claim" : "notification", ...version };
}

const malformed: InboundLadderRejection = {
  kind: "reject",
  rung: "jsonrpc-shape",
  cell: "invalid-json-rpc",
  httpStatus: 400,
  code: -32600,
  message: "Invalid Request: not a JSON-RPC message",
  settled: true,
};
