/** A token that arrives is for the gateway alone: no server, error, log or client sees it. */
import { describe, expect, onTestFinished, test } from "vitest";
import { serverSides } from "@mcpwright/protocol/server-sides";
import type { Client } from "../../../runtime/src/client.js";
import { auditLog, createGateway, tasksThrough } from "../../../runtime/src/gateway.js";
import { ProtocolError } from "../../../runtime/src/index.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer } from "../../../runtime/src/server.js";
import { eras, info, revisions, text } from "../api/pair.js";
import { protect } from "./protected.js";

const token = "ann-secret-token-of-the-client";
const own = "token-of-the-gateway";
/** Where the servers `moves` and `leaves` are now. */
const moved = "https://up.example.com/moved";
const elsewhere = "https://elsewhere.example.com/mcp";

interface Network {
  /** Everything that servers have received: URL, headers and body. */
  readonly received: { readonly url: string; readonly headers: Headers; readonly body: string }[];
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** A server of one revision behind several URLs, two of which redirect. */
function network(server: McpServer): Network {
  const handler = createMcpHandler(server, { allowedHosts: "any" });
  onTestFinished(() => handler.close(0));
  const received: Network["received"][number][] = [];
  return {
    received,
    async fetch(url, init) {
      const request = new Request(url, init);
      received.push({ url: request.url, headers: request.headers, body: await request.clone().text() });
      const { pathname } = new URL(request.url);
      const location = pathname === "/moves" ? moved : pathname === "/leaves" ? elsewhere : undefined;
      return location === undefined
        ? handler.fetch(request)
        : new Response(null, { status: 307, headers: { location } });
    },
  };
}

function serverOf(revision: string): McpServer {
  const sides = serverSides.filter((side) => side.revision === revision);
  const server = new McpServer(info, { revisions: sides, onerror: () => undefined });
  server.registerTool("see", {}, ({ _meta, http }) => text(JSON.stringify([_meta, http?.header("authorization")])));
  server.registerTool("fail", {}, ({ http }) => {
    throw new ProtocolError(1234, `refused ${http?.header("authorization") ?? "nothing"}`, { _meta: "none" });
  });
  server.registerPrompt("greet", {}, () => ({ messages: [] }));
  server.registerResource("page", "docs://page", {}, (uri) => ({ contents: [{ uri: uri.href, text: "page" }] }));
  return server;
}

/** Uses everything, and returns all that the client saw. */
async function useAll(client: Client): Promise<string> {
  const outcomes = await Promise.allSettled([
    client.listTools(),
    client.listPrompts(),
    client.listResources(),
    client.listResourceTemplates(),
    ...["up", "moves", "leaves", "down"].flatMap((name) => [
      client.callTool({ name: `${name}_see`, _meta: { "com.example/trace": "kept" } }),
      client.callTool({ name: `${name}_fail` }),
      client.getPrompt({ name: `${name}_greet` }),
    ]),
    client.readResource({ uri: "docs://page" }),
    client.readResource({ uri: "via-up+docs://page" }),
    client.callTool({ name: "nothing_here" }),
  ]);
  return JSON.stringify(
    outcomes.map((one) => {
      if (one.status === "fulfilled") return one.value;
      const { message, code, data, stack } = one.reason as ProtocolError;
      return { message, code, data, stack };
    }),
  );
}

const pairs = eras.flatMap((client) => revisions.slice(-4).map((server) => ({ client, server })));

describe.each(pairs)("client $client, server $server", ({ client: revision, server }) => {
  test.each([undefined, own])(
    "the token of the client reaches no server; that of the gateway: %s",
    async (authProvider) => {
      const { received, fetch } = network(serverOf(server));
      const problems: unknown[] = [];
      const lines: unknown[] = [];
      const log = (...entry: unknown[]): void => void lines.push(entry);
      const http = { fetch, ...(authProvider !== undefined && { authProvider }) };
      const gateway = createGateway({
        servers: {
          up: { url: "https://up.example.com/mcp", http },
          moves: { url: "https://up.example.com/moves", http },
          leaves: { url: "https://up.example.com/leaves", http },
          down: { url: "https://down.example.com/mcp", http: { fetch: () => Promise.reject(new Error("no network")) } },
        },
        extensions: [tasksThrough()],
        audit: auditLog((line) => lines.push(line), { arguments: true }),
        onerror: (error) => problems.push(error.message, error.stack, (error as ProtocolError).data, error.cause),
        logger: { debug: log, info: log, warn: log, error: log },
      });
      const at = protect(gateway, { [token]: [] });
      const client = await at.connect(token, revision);
      const shown = await useAll(client);
      // The test sees what it looks for.
      expect(received.some(({ body }) => body.includes("com.example/trace"))).toBe(true);
      expect(received.some(({ url }) => url === moved)).toBe(true);
      expect(shown).toContain("kept");
      expect(shown).toContain("refused ");

      const secret = "secret-token";
      for (const { url, headers, body } of received) {
        expect(JSON.stringify([url, [...headers], body])).not.toContain(secret);
        // Only the gateway's own, and only at its server.
        const expected = authProvider === undefined || url.startsWith(elsewhere) ? null : `Bearer ${authProvider}`;
        expect(headers.get("authorization")).toBe(expected);
      }
      expect(shown).not.toContain(secret);
      expect(JSON.stringify(lines)).toContain("up_see");
      expect(JSON.stringify(lines)).not.toContain(secret);
      expect(JSON.stringify([problems.map(String), gateway.servers])).not.toContain(secret);
    },
  );
});
