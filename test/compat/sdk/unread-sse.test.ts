import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { SSEServerTransport } from "@mcpwright/compat/sdk/server/sse.js";
import { expect, it } from "vitest";

it("ends a stream of HTTP+SSE that the client does not read", async () => {
  let opened!: (transport: SSEServerTransport) => void;
  const isOpen = new Promise<SSEServerTransport>((resolve) => (opened = resolve));
  const http = createServer((_request, response) => opened(new SSEServerTransport("/messages", response)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const socket = connect((http.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  socket.write("GET /sse HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const transport = await isOpen;
  const isClosed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  const data = "x".repeat(1024 * 1024);
  let sent = 0;
  const problem = await (async () => {
    for (; sent < 64; sent++) {
      await transport.send({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  })().catch((error: unknown) => error);
  await isClosed;
  expect(problem).toMatchObject({ message: "Not connected" });
  expect(sent).toBeLessThan(40);
  socket.destroy();
  http.close();
});
