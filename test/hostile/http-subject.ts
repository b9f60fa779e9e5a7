import { createServer, type ServerOptions } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { z } from "zod";
import { toNodeHandler } from "../../runtime/src/node.js";
import { MemoryBackplane } from "../../runtime/src/backplane.js";
import { createMcpHandler } from "../../runtime/src/server/http.js";
import { MAX_BODY_BYTES } from "./http-table.js";
import type { McpServer } from "../../runtime/src/server.js";
import { hostileHandlers } from "./subject.js";

export const claim = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface Received {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** One TCP connection, and the responses received over it. */
export class Wire {
  readonly socket: Socket;
  isClosed = false;
  #text = "";

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1").setEncoding("latin1").setNoDelay(true);
    this.socket
      .on("data", (text: string) => (this.#text += text))
      .on("error", () => undefined)
      .on("close", () => (this.isClosed = true));
  }

  write(bytes: string | Uint8Array): void {
    // A character beyond ASCII in a header is one byte.
    this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** All complete responses so far. */
  get answers(): Received[] {
    const found: Received[] = [];
    for (let rest = this.#text; ;) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) return found;
      const head = rest.slice(0, end);
      const body = bodyOf(head, rest.slice(end + 4), this.isClosed);
      if (!body) return found;
      found.push({ status: Number(/ (\d+)/.exec(head)?.[1]), head, body: Buffer.from(body.text, "latin1").toString() });
      rest = body.rest;
    }
  }

  get text(): string {
    return this.#text;
  }

  close(): void {
    this.socket.destroy();
  }
}

function bodyOf(head: string, rest: string, isClosed: boolean): { text: string; rest: string } | undefined {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined)
    return rest.length < Number(length)
      ? undefined
      : { text: rest.slice(0, Number(length)), rest: rest.slice(Number(length)) };
  if (!/^transfer-encoding: chunked/im.test(head))
    return isClosed || / [14]\d\d /.test(head) ? { text: rest, rest: "" } : undefined;
  let text = "";
  for (let at = 0; ;) {
    const line = rest.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const size = Number.parseInt(rest.slice(at, line), 16);
    text += rest.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (size === 0) return { text, rest: rest.slice(at) };
  }
}

/** A server that takes the user from a header, and whose handlers misbehave. */
export async function serveHostile(options: ServerOptions = {}) {
  const { server, reports }: { server: McpServer; reports: Error[] } = hostileHandlers({
    backplane: new MemoryBackplane({ maxSize: 30_000 }),
  });
  const zone = z.string().meta({ "x-mcp-header": "Zone" });
  server.registerTool("zone", { inputSchema: z.object({ zone }) }, (args) => ({
    content: [{ type: "text", text: args.zone }],
  }));
  server.registerTool("say", {}, (context) => {
    context.log("warning", "said");
    return { content: [] };
  });
  const handler = createMcpHandler(server, { maxBodyBytes: MAX_BODY_BYTES });
  const handle = toNodeHandler(handler);
  const listener = createServer(options, (request, response) => {
    const user = request.headers["x-user"];
    const principal = typeof user === "string" ? { issuer: "https://issuer.example", subject: user } : undefined;
    handle(request, response, principal && { principal });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const post = (user: string, body: unknown, headers: object = {}): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "x-user": user,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  return {
    server,
    reports,
    port,
    url,
    post,
    wire: () => new Wire(port),
    /** Opens a session of 2025-11-25. */
    open: async (user: string, capabilities: object = {}): Promise<Record<string, string>> => {
      const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: user, version: "1" } };
      const opening = await post(user, { jsonrpc: "2.0", id: 0, method: "initialize", params });
      await opening.text();
      const headers = {
        "mcp-session-id": opening.headers.get("mcp-session-id") ?? "",
        "mcp-protocol-version": "2025-11-25",
      };
      await (await post(user, { jsonrpc: "2.0", method: "notifications/initialized" }, headers)).text();
      return headers;
    },
    close: async (): Promise<void> => {
      await handler.close(0);
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

export type HostileHttp = Awaited<ReturnType<typeof serveHostile>>;
