import { expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { Server } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { clientInfo, serverInfo } from "../connection/connection-ends.js";
import { rankExtension } from "./rank-extension.js";

const url = "http://localhost/mcp";

/** A client that is connected to a server over HTTP, and the values of `Mcp-Name` that it sent. */
async function connect(change: (headers: Headers) => void = () => undefined) {
  const server = new Server(serverInfo, { extensions: [rankExtension] });
  server.handle<Record<string, (params: never) => object>>({
    "tools/rank": ({ query }: { query: string }) => ({ order: [query] }),
  });
  const handler = createMcpHandler(server, { allowedHosts: "any" });
  const names: (string | null)[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const sent = new Request(input, init);
    if (sent.headers.get("mcp-method") === "tools/rank") names.push(sent.headers.get("mcp-name"));
    const headers = new Headers(sent.headers);
    if (sent.headers.get("mcp-method") === "tools/rank") change(headers);
    return handler.fetch(new Request(sent, { headers }));
  };
  const client = new Client(clientInfo, { extensions: [rankExtension] });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return { client, names };
}

test("a client repeats the params member that the extension routes by in Mcp-Name", async () => {
  const { client, names } = await connect();
  expect(await client.connection.request("tools/rank", { query: "a b" })).toMatchObject({ order: ["a b"] });
  expect(names).toEqual(["a b"]);
  await client.close();
});

test.each([
  ["another name", (headers: Headers) => headers.set("mcp-name", "c")],
  ["no name", (headers: Headers) => headers.delete("mcp-name")],
])("a server rejects a request of an extension with %s in the header", async (_, change) => {
  const { client } = await connect(change);
  await expect(client.connection.request("tools/rank", { query: "a" })).rejects.toMatchObject({ code: -32020 });
  await client.close();
});
