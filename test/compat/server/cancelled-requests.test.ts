import { McpServer as SdkServer } from "@mcpwright/compat/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as SdkTransport } from "@mcpwright/compat/sdk/server/webStandardStreamableHttp.js";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@mcpwright/compat/server";
import { describe, expect, it } from "vitest";

const versions = {
  "1.x": { McpServer: SdkServer as unknown as typeof McpServer, Transport: SdkTransport },
  "2.x": { McpServer, Transport: WebStandardStreamableHTTPServerTransport },
};

const call = (id: number): object => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "endless" } });
const ping = { jsonrpc: "2.0", id: 9, method: "ping" };
const cancel = (requestId: number): object => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

describe.each(Object.entries(versions))("a request over HTTP that the client cancels, with %s", (_version, sdk) => {
  /** Posts messages in a session whose only tool never responds. */
  async function session(enableJsonResponse: boolean): Promise<(body: unknown) => Promise<Response>> {
    const server = new sdk.McpServer({ name: "example", version: "1.0.0" });
    server.registerTool("endless", {}, () => new Promise<never>(() => undefined));
    const transport = new sdk.Transport({ sessionIdGenerator: () => "session", enableJsonResponse });
    await server.connect(transport);
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-session-id": "session",
    };
    const post = (body: unknown): Promise<Response> =>
      transport.handleRequest(
        new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(body) }),
      );
    const clientInfo = { name: "client", version: "1.0.0" };
    const hello = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo };
    await (await post({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello })).text();
    await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return post;
  }

  /** The response to a body, after one of its requests was cancelled. */
  async function responseTo(body: unknown, isJson: boolean): Promise<[number, string]> {
    const post = await session(isJson);
    const response = post(body);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await post(cancel(1))).status).toBe(202);
    const { status } = await response;
    return [status, await (await response).text()];
  }

  it("ends the response as JSON without a message", async () => {
    expect(await responseTo(call(1), true)).toEqual([202, ""]);
  });

  it("ends the stream without a message", async () => {
    expect(await responseTo(call(1), false)).toEqual([200, ""]);
  });

  it("leaves the responses to the other requests of a batch", async () => {
    const [status, text] = await responseTo([call(1), ping], true);
    expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: "2.0", id: 9, result: {} }]);
  });
});
