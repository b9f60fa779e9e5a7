/** A JSON-RPC message as it arrives. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export function toMessages(text: string): readonly Message[] {
  return [JSON.parse(text) as Message | readonly Message[]].flat();
}

export function request(id: number, method: string, params?: object): Message {
  return { jsonrpc: "2.0", id, method, ...(params && { params: params as Message["params"] & object }) };
}

export function notification(method: string, params?: object): Message {
  return { jsonrpc: "2.0", method, ...(params && { params: params as Message["params"] & object }) };
}

export const jsonHeaders = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
} as const;
