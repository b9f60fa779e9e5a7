import type { RequestId } from "@mcpwright/protocol/contract";

/** A message that wants an answer (JSON-RPC 2.0, section 4). */
export interface JSONRPCRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params;
}

/** A message that gets no answer. */
export interface JSONRPCNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Params;
}

export interface JSONRPCResultResponse {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: object;
}

/** `id` is absent when that of the request could not be read. */
export interface JSONRPCErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly error: JSONRPCErrorObject;
}

export interface JSONRPCErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/** By-name params; MCP has no others. */
export type Params = Readonly<Record<string, unknown>> & { readonly _meta?: Meta };

/** The metadata of a message. */
export type Meta = Readonly<Record<string, unknown>>;
