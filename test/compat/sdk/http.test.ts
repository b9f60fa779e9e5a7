import { describe, expect, it } from "vitest";
import { InMemoryEventStore } from "./event-store.js";
import * as original from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { McpServer as OriginalServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@mcpwright/compat/sdk/server/mcp.js";
import * as own from "@mcpwright/compat/sdk/server/webStandardStreamableHttp.js";

type Options = original.WebStandardStreamableHTTPServerTransportOptions;

interface Sdk {
  readonly Transport: typeof original.WebStandardStreamableHTTPServerTransport;
  readonly Server: typeof OriginalServer;
}

const sdks = {
  original: { Transport: original.WebStandardStreamableHTTPServerTransport, Server: OriginalServer } as Sdk,
  own: { Transport: own.WebStandardStreamableHTTPServerTransport, Server: McpServer } as unknown as Sdk,
};

interface Step {
  readonly method?: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Handles the request, but does not read its stream. */
  readonly unread?: boolean;
}

const clientInfo = { name: "client", version: "1.0.0" };
const initialize = (protocolVersion = "2025-11-25") => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo },
});
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const call = (id: number, name: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: {}, ...more },
});
const begin: readonly Step[] = [
  { body: initialize(), headers: { "mcp-session-id": undefined } },
  { body: initialized },
];

interface Case {
  readonly title: string;
  readonly options?: () => Options;
  readonly steps: readonly Step[];
}

const sessions = (): Options => ({ sessionIdGenerator: () => "session-1" });

const cases: readonly Case[] = [
  {
    title: "a session",
    options: sessions,
    steps: [
      ...begin,
      { body: call(2, "plain") },
      { body: call(3, "progress", { _meta: { progressToken: "t" } }) },
      { body: [call(4, "plain"), call(5, "plain")] },
      { body: { jsonrpc: "2.0", id: 6, method: "no/method" } },
      { body: call(7, "headers") },
      { method: "GET", unread: true },
      { method: "GET" },
      { method: "DELETE" },
      { body: call(8, "plain") },
    ],
  },
  {
    title: "responses as JSON",
    options: () => ({ ...sessions(), enableJsonResponse: true }),
    steps: [...begin, { body: call(2, "plain") }, { body: [call(4, "plain"), call(5, "plain"), initialized] }],
  },
  {
    title: "one request without a session",
    steps: [{ body: call(1, "plain"), headers: { "mcp-session-id": undefined } }],
  },
  { title: "one handshake without a session", steps: [{ body: initialize("2025-06-18") }] },
  {
    title: "refused requests",
    options: sessions,
    steps: [
      { body: call(1, "plain") },
      { method: "GET" },
      { method: "PUT" },
      { body: [initialize(), initialized] },
      ...begin,
      { body: initialize() },
      { body: call(2, "plain"), headers: { "mcp-session-id": undefined } },
      { body: call(2, "plain"), headers: { "mcp-session-id": "other" } },
      { body: call(2, "plain"), headers: { "mcp-protocol-version": "1999-01-01" } },
      { body: call(2, "plain"), headers: { accept: "application/json" } },
      { body: call(2, "plain"), headers: { "content-type": "text/plain" } },
      { text: "{" },
      { text: "{}" },
      { text: '"text"' },
      { body: Array.from({ length: 101 }, (_, index) => call(index + 2, "plain")) },
      { method: "GET", headers: { accept: "application/json" } },
    ],
  },
  {
    title: "guards against DNS rebinding",
    options: () => ({
      ...sessions(),
      enableDnsRebindingProtection: true,
      allowedHosts: ["a.example"],
      allowedOrigins: ["https://a.example"],
    }),
    steps: [
      { body: initialize() },
      { body: initialize(), headers: { host: "b.example" } },
      { body: initialize(), headers: { host: "a.example", origin: "https://b.example" } },
      { body: initialize(), headers: { host: "a.example", origin: "https://a.example" } },
    ],
  },
  {
    title: "bodies that are too large",
    options: () => ({ ...sessions(), maxRequestBodySize: 200 }),
    steps: [{ text: `${" ".repeat(300)}{}` }, { body: initialize() }],
  },
  {
    title: "streams that are resumed",
    options: () => ({ ...sessions(), eventStore: new InMemoryEventStore(), retryInterval: 5 }),
    steps: [
      ...begin,
      { body: call(2, "plain") },
      { body: call(3, "close") },
      { method: "GET", headers: { "last-event-id": "3" } },
      { method: "GET", headers: { "last-event-id": "none" } },
    ],
  },
];

async function run({ Transport, Server }: Sdk, { options = () => ({}), steps }: Case): Promise<unknown[]> {
  const server = new Server({ name: "server", version: "1.0.0" });
  const content = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });
  server.tool("plain", () => content("plain"));
  server.tool("progress", async ({ sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? "none";
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    return content("done");
  });
  server.tool("headers", ({ requestInfo, sessionId, authInfo }) =>
    content([requestInfo?.headers["content-type"], requestInfo?.url, sessionId, authInfo?.clientId]),
  );
  server.tool("close", async ({ closeSSEStream }) => {
    closeSSEStream?.();
    await Promise.resolve();
    return content("closed");
  });
  const transport = new Transport(options());
  const problems: string[] = [];
  transport.onerror = ({ message }) => problems.push(message);
  await server.connect(transport);
  const answers: unknown[] = [];
  for (const { method = "POST", body, text, headers, unread } of steps) {
    const all: Record<string, string | undefined> = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-session-id": "session-1",
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const request = new Request("http://localhost/mcp", {
      method,
      headers: given,
      ...(method === "POST" && { body: text ?? JSON.stringify(body) }),
    });
    const authInfo = { token: "t", clientId: "client-1", scopes: [] };
    const response = await transport.handleRequest(request, { authInfo });
    answers.push({
      status: response.status,
      type: response.headers.get("content-type"),
      session: response.headers.get("mcp-session-id"),
      allow: response.headers.get("allow"),
      body:
        unread || (method === "GET" && response.status === 200) ? await firstChunk(response) : await bodyOf(response),
    });
  }
  await server.close();
  return [...answers, problems];
}

/** The events of a stream, or the value of a JSON body. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.headers.get("content-type") === "application/json") return JSON.parse(text);
  return text.split("\n").map((line) => (line.startsWith("data: {") ? (JSON.parse(line.slice(6)) as unknown) : line));
}

/** What is in a stream that does not end. */
async function firstChunk(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const nothing = new Promise<undefined>((resolve) => setTimeout(resolve, 50, undefined));
  const chunk = await Promise.race([reader?.read(), nothing]);
  return chunk && new TextDecoder().decode(chunk.value as Uint8Array | undefined);
}

describe("WebStandardStreamableHTTPServerTransport", () => {
  it.each(cases)("answers like the official SDK: $title", async (one) => {
    expect(await run(sdks.own, one)).toEqual(await run(sdks.original, one));
  });
});
