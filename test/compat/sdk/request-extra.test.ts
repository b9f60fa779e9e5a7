import { McpServer as OriginalServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as OriginalTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { McpServer as OwnServer } from "@mcpwright/compat/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as OwnTransport } from "@mcpwright/compat/sdk/server/webStandardStreamableHttp.js";
import { expect, test } from "vitest";

interface Sdk {
  readonly McpServer: typeof OriginalServer;
  readonly Transport: typeof OriginalTransport;
}

const original: Sdk = { McpServer: OriginalServer, Transport: OriginalTransport };
const own = { McpServer: OwnServer, Transport: OwnTransport } as unknown as Sdk;

/** What the handler of a tool sees in what it gets beside the arguments, and in a copy, as programs make it that add members. */
async function seenBy({ McpServer, Transport }: Sdk): Promise<unknown> {
  const server = new McpServer({ name: "example", version: "1.0.0" });
  let seen: unknown;
  server.registerTool("look", {}, (extra) => {
    const copy = { ...extra, user: "ada" };
    const { signal, requestInfo } = copy;
    const inherited = Object.create(extra) as typeof extra;
    seen = {
      members: Object.keys(extra).sort(),
      json: JSON.parse(JSON.stringify(extra)) as unknown,
      signal: [signal === extra.signal, inherited.signal === signal, signal.aborted],
      headers: [requestInfo?.headers["x-example"], inherited.requestInfo?.headers["x-example"]],
      url: requestInfo?.url?.href,
    };
    (extra as { signal: AbortSignal }).signal = AbortSignal.abort();
    return { content: [{ type: "text", text: String(extra.signal.aborted) }] };
  });
  const transport = new Transport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(
    new Request("http://localhost:3000/mcp", {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "x-example": "yes",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "look", arguments: {}, _meta: { progressToken: 7 } },
      }),
    }),
  );
  return { seen, response: await response.json() };
}

test("handlers get the same members, also in a copy, as in the official SDK", async () => {
  expect(await seenBy(own)).toEqual(await seenBy(original));
});
