import type { RequestId } from "@mcpwright/protocol/contract";

/** A message that gets a response (JSON-RPC 2.0, section 4). */
export interface JSONRPCRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params;
}

/** A message that gets no response. */
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

/** `id` is absent when the request's id could not be read. */
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

/** Params by name; MCP does not use positional params. */
export type Params = Readonly<Record<string, unknown>> & { readonly _meta?: Meta };

/** The metadata of a message. */
export type Meta = Readonly<Record<string, unknown>>;
