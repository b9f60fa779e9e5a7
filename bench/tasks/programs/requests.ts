export interface Reply {
  readonly id: number;
  readonly error?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
}

export const version = "2026-07-28";
const _meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

/** The text of a request. */
export function requestText(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
}
