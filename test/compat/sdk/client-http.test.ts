import { Client as OriginalClient } from "@modelcontextprotocol/sdk/client/index.js";
import * as originalSse from "@modelcontextprotocol/sdk/client/sse.js";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import * as originalHttp from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as OwnClient } from "@mcpwright/compat/sdk/client/index.js";
import * as ownSse from "@mcpwright/compat/sdk/client/sse.js";
import * as ownHttp from "@mcpwright/compat/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";

interface ClientSdk {
  readonly Client: typeof OriginalClient;
  readonly http: typeof originalHttp;
  readonly sse: typeof originalSse;
}

const sdks = {
  original: { Client: OriginalClient, http: originalHttp, sse: originalSse } as ClientSdk,
  own: { Client: OwnClient, http: ownHttp, sse: ownSse } as unknown as ClientSdk,
};

const url = new URL("http://127.0.0.1:9/mcp");

/** Responds to a request for a method, or to an HTTP method; undefined for the usual response. */
type Answer = (method: string) => Response | Error | undefined;

/** A server that responds to `initialize`, except where a test replaces the response. */
function serverOf(answer: Answer): (input: string | URL, init?: RequestInit) => Promise<Response> {
  const respond = (init: RequestInit | undefined): Response => {
    const body = typeof init?.body === "string" ? (JSON.parse(init.body) as { id?: number; method?: string }) : {};
    const { id, method = init?.method ?? "GET" } = body;
    const found = answer(method);
    if (found instanceof Error) throw found;
    if (found) return found;
    if (method === "GET") return new Response(null, { status: 405 });
    if (id === undefined) return new Response(null, { status: method === "DELETE" ? 200 : 202 });
    const capabilities = { tools: {} };
    const serverInfo = { name: "server", version: "1.0.0" };
    const result =
      method === "initialize" ? { protocolVersion: "2025-11-25", capabilities, serverInfo } : { tools: [] };
    return Response.json({ jsonrpc: "2.0", id, result }, { headers: { "mcp-session-id": "session-1" } });
  };
  return (_input, init) => new Promise((resolve) => resolve(respond(init)));
}

async function outcomeOf({ http, sse }: ClientSdk, call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await call() };
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    const classes = { StreamableHTTPError: http.StreamableHTTPError, SseError: sse.SseError };
    const [name] = Object.entries(classes).find(([, one]) => error instanceof one) ?? ["other"];
    // What follows differs: the text of the status, or the content type in place of the content.
    return { name, message: message.replace(/(Failed to terminate session:|Unexpected content).*/, "$1"), code };
  }
}

const refusal = (status: number, text = "no"): Response => new Response(text, { status });

const html = (): Response => new Response("<p>", { headers: { "content-type": "text/html" } });

const cases: readonly (readonly [what: string, answer: Answer])[] = [
  ["the handshake gets 404", (method) => (method === "initialize" ? refusal(404) : undefined)],
  ["the handshake gets 405", (method) => (method === "initialize" ? refusal(405) : undefined)],
  ["the handshake gets 401", (method) => (method === "initialize" ? refusal(401) : undefined)],
  ["a request gets 500", (method) => (method === "tools/list" ? refusal(500, "broken") : undefined)],
  ["a request gets 400", (method) => (method === "tools/list" ? refusal(400) : undefined)],
  ["a request gets 403", (method) => (method === "tools/list" ? refusal(403) : undefined)],
  ["fetch fails", (method) => (method === "tools/list" ? new TypeError("fetch failed") : undefined)],
  ["fetch fails in the handshake", (method) => (method === "initialize" ? new TypeError("fetch failed") : undefined)],
  ["the session cannot be ended", (method) => (method === "DELETE" ? new Response(null, { status: 500 }) : undefined)],
  ["the server does not end sessions", (method) => (method === "DELETE" ? refusal(405) : undefined)],
  ["a response is not JSON", (method) => (method === "tools/list" ? html() : undefined)],
  ["all is well", () => undefined],
];

async function httpOutcomes(sdk: ClientSdk, answer: Answer): Promise<unknown> {
  const transport = new sdk.http.StreamableHTTPClientTransport(url, { fetch: serverOf(answer) });
  const client = new sdk.Client({ name: "client", version: "1.0.0" });
  const outcomes: unknown[] = [];
  const record = async (call: () => Promise<unknown>): Promise<void> => void outcomes.push(await outcomeOf(sdk, call));
  await record(() => client.connect(transport));
  await record(() => client.listTools());
  await record(() => transport.terminateSession());
  await client.close();
  return outcomes;
}

describe("StreamableHTTPClientTransport", () => {
  it.each(cases)("has the errors of the official one when %s", async (_what, answer) => {
    expect(await httpOutcomes(sdks.own, answer)).toEqual(await httpOutcomes(sdks.original, answer));
  });
});

/** A provider whose tokens the server does not accept. */
class Provider implements OAuthClientProvider {
  redirectUrl = undefined;
  clientMetadata = { redirect_uris: [] };
  #tokens: OAuthTokens | undefined;
  clientInformation = () => ({ client_id: "client", client_secret: "secret" });
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => void (this.#tokens = tokens);
  redirectToAuthorization = () => undefined;
  saveCodeVerifier = () => undefined;
  codeVerifier = () => "verifier";
  prepareTokenRequest = () => new URLSearchParams({ grant_type: "client_credentials" });
}

/** An authorization server before the server of a test. */
function withLogIn(server: ReturnType<typeof serverOf>): ReturnType<typeof serverOf> {
  return (input, init) => {
    const { origin, pathname } = new URL(input);
    if (pathname === url.pathname) return server(input, init);
    if (pathname === "/token") return Promise.resolve(Response.json({ access_token: "token", token_type: "bearer" }));
    if (!pathname.startsWith("/.well-known/oauth-authorization-server"))
      return Promise.resolve(new Response(null, { status: 404 }));
    const metadata = {
      issuer: `${origin}/`,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ["code"],
    };
    return Promise.resolve(Response.json(metadata));
  };
}

describe("StreamableHTTPClientTransport with a provider", () => {
  const insufficient = 'Bearer error="insufficient_scope", scope="more"';
  it.each([
    ["rejects every token", () => refusal(401)],
    [
      "asks for more scopes each time",
      () => new Response("no", { status: 403, headers: { "www-authenticate": insufficient } }),
    ],
  ])("has the error of the official one when the server %s", async (_what, answer) => {
    const outcomes: unknown[] = [];
    for (const sdk of [sdks.original, sdks.own]) {
      const fetch = withLogIn(serverOf(answer));
      const transport = new sdk.http.StreamableHTTPClientTransport(url, { authProvider: new Provider(), fetch });
      const client = new sdk.Client({ name: "client", version: "1.0.0" });
      outcomes.push(await outcomeOf(sdk, () => client.connect(transport)));
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[1]).toMatchObject({ name: "StreamableHTTPError" });
  });
});

describe("SSEClientTransport", () => {
  const endpoint = (): Response => {
    const start = (stream: ReadableStreamDefaultController): void =>
      stream.enqueue(new TextEncoder().encode("event: endpoint\ndata: /messages\n\n"));
    return new Response(new ReadableStream({ start }), { headers: { "content-type": "text/event-stream" } });
  };
  it.each([
    ["the stream gets 500", (method: string) => (method === "GET" ? refusal(500) : undefined)],
    ["a message gets 500", (method: string) => (method === "GET" ? endpoint() : refusal(500, "broken"))],
  ])("has the errors of the official one when %s", async (_what, answer) => {
    const outcomes: unknown[] = [];
    for (const sdk of [sdks.original, sdks.own]) {
      const transport = new sdk.sse.SSEClientTransport(url, { fetch: serverOf(answer) });
      const client = new sdk.Client({ name: "client", version: "1.0.0" });
      outcomes.push(await outcomeOf(sdk, () => client.connect(transport)));
      await client.close();
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });
});
