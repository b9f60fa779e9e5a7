import { expect, test } from "vitest";
import { z } from "zod";
import { callLimits, createGateway } from "../../../../runtime/src/gateway.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { clientOf, errorOf, text } from "../../api/pair.js";
import { join } from "../in-memory.js";

test("a result that is too large is an error, and the next one arrives", async () => {
  const server = new McpServer({ name: "large", version: "1.0.0" });
  const inputSchema = z.object({ size: z.number() });
  server.registerTool("work", { inputSchema }, ({ size }) => text("x".repeat(size)));
  const limits = callLimits({ maxBytes: 1_000, concurrency: 1 });
  const { client } = clientOf("2026-07-28");
  await join(createGateway({ servers: { w: { server, limits } } }), client);
  expect(await errorOf(client.callTool({ name: "w_work", arguments: { size: 1_000 } }))).toMatchObject({
    code: -32603,
    message: 'The result of server "w" is larger than 1000 bytes; request less (limit maxBytes)',
  });
  expect(await client.callTool({ name: "w_work", arguments: { size: 10 } })).toMatchObject(text("x".repeat(10)));
});

test("invalid limits are refused at once", () => {
  expect(() => callLimits({ concurrency: 0 })).toThrow("concurrency must be a whole number that is 1 or more, not 0");
});
