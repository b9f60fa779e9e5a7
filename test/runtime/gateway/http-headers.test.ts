/** Arguments that are repeated in HTTP headers: checked on arrival, and made anew for the server. */
import { expect, onTestFinished, test } from "vitest";
import { createGateway } from "../../../runtime/src/gateway.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { clientOf, info, text } from "../api/pair.js";
import { fetchOf, httpTransport } from "./http.js";

const inputSchema = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" }, count: { type: "integer" } },
} as const;

test("header parameters are checked by the gateway, and sent to the server", async () => {
  const server = new McpServer(info, { jsonSchemaValidator: ajvValidator() });
  let calls = 0;
  server.registerTool("where", { inputSchema }, ({ region }) => {
    calls++;
    return text(String(region));
  });
  const handler = createMcpHandler(server);
  const seen: (string | null)[] = [];
  const gateway = createGateway({
    servers: {
      up: {
        url: "http://localhost/mcp",
        http: {
          fetch: (url, init) => {
            const request = new Request(url, init);
            if (request.headers.get("mcp-method") === "tools/call")
              seen.push(request.headers.get("mcp-name"), request.headers.get("mcp-param-region"));
            return handler.fetch(request);
          },
        },
      },
    },
  });
  const served = fetchOf(gateway);
  const { client } = clientOf("2026-07-28");
  await client.connect(httpTransport(served.fetch));
  onTestFinished(async () => {
    await client.close();
    await gateway.close(0);
    await handler.close();
  });
  await client.listTools();
  expect(await client.callTool({ name: "up_where", arguments: { region: "eu-1" } })).toMatchObject({
    content: [{ text: "eu-1" }],
  });
  expect(seen).toEqual(["where", "eu-1"]);

  const lying = clientOf("2026-07-28");
  await lying.client.connect(
    httpTransport((url, init) => {
      const headers = new Headers(init?.headers);
      if (headers.has("mcp-param-region")) headers.set("mcp-param-region", "us-1");
      return served.fetch(url, { ...init, headers });
    }),
  );
  onTestFinished(() => lying.client.close());
  await lying.client.listTools();
  await expect(lying.client.callTool({ name: "up_where", arguments: { region: "eu-1" } })).rejects.toMatchObject({
    code: -32020,
  });
  expect(calls).toBe(1);
});
