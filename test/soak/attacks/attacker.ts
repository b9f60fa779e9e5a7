import { connect, type Socket } from "node:net";
import { once } from "node:events";

const stateless = "2026-07-28";
const handshake = "2025-11-25";

/** Opens raw sockets to the server, sends what no honest client sends, and closes all of them at the end. */
export class Attacker {
  readonly #sockets = new Set<Socket>();
  #id = 0;

  constructor(readonly port: number) {}

  /** A call of a tool in the stateless era. */
  call(name: string, args: object = {}): { readonly head: string; readonly body: string } {
    const _meta = {
      progressToken: "p",
      "io.modelcontextprotocol/protocolVersion": stateless,
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      "io.modelcontextprotocol/logLevel": "debug",
    };
    const params = { name, arguments: args, _meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method: "tools/call", params });
    return { head: `MCP-Protocol-Version: ${stateless}\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\n`, body };
  }

  /** A request of the stateless era whose params are given. */
  statelessRequest(method: string, params: object): { readonly head: string; readonly body: string } {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": stateless,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params: { ...params, _meta } });
    return { head: `MCP-Protocol-Version: ${stateless}\r\nMcp-Method: ${method}\r\n`, body };
  }

  initialize(capabilities: object = {}): { readonly head: string; readonly body: string } {
    const clientInfo = { name: "attacker", version: "1.0.0" };
    const params = { protocolVersion: handshake, capabilities, clientInfo };
    return { head: "", body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method: "initialize", params }) };
  }

  callIn(session: string, name: string): { readonly head: string; readonly body: string } {
    const params = { name, arguments: {}, _meta: { progressToken: "p" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method: "tools/call", params });
    return { head: `MCP-Protocol-Version: ${handshake}\r\nMcp-Session-Id: ${session}\r\n`, body };
  }

  /** Posts a message and returns the whole response. */
  async post({ head, body }: { readonly head: string; readonly body: string }): Promise<Response> {
    const headers = Object.fromEntries(
      head
        .split("\r\n")
        .filter(Boolean)
        .map((line) => line.split(": ") as [string, string]),
    );
    const response = await fetch(`http://127.0.0.1:${this.port}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    return response;
  }

  /** Opens a session and returns its id; undefined when the server refuses. */
  async session(capabilities?: object): Promise<string | undefined> {
    const response = await this.post(this.initialize(capabilities));
    return response.headers.get("mcp-session-id") ?? undefined;
  }

  /** Writes bytes on a new connection that reads nothing. */
  async write(text: string): Promise<Socket> {
    const socket = connect({ port: this.port, host: "127.0.0.1" });
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    socket.pause();
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    socket.write(text);
    return socket;
  }

  /** The bytes of a POST; the body can be cut. */
  textOf({ head, body }: { readonly head: string; readonly body: string }, bytes = body.length): string {
    return (
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
      `Accept: application/json, text/event-stream\r\n${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, bytes)}`
    );
  }

  closeAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
