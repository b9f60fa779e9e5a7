const STATELESS = "2026-07-28";

export type Fields = Readonly<Record<string, string | undefined>>;

export function head(method: string, fields: Fields, target = "/mcp"): string {
  const all: Fields = { Host: "localhost", "X-User": "ada", ...fields };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [`${method} ${target} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

export const usual: Fields = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };

/** A POST; its length is added. */
export function post(body: unknown, fields: Fields = {}): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return head("POST", { ...usual, "Content-Length": String(Buffer.byteLength(text)), ...fields }) + text;
}

export const request = (id: unknown, method: string, params?: object): object => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});

export function modern(method: string, params: object = {}, fields: Fields = {}): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { name } = params as { name?: string };
  return post(request(1, method, { ...params, _meta }), {
    "MCP-Protocol-Version": STATELESS,
    "Mcp-Method": method,
    "Mcp-Name": name,
    ...fields,
  });
}
