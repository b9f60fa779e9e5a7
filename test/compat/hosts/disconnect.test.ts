import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { toNodeHandler } from "@mcpwright/compat/node";
import { expect, it } from "vitest";

it("cancels the stream for a client that has gone before there was a response", async () => {
  let cancelled!: (reason: string) => void;
  const isCancelled = new Promise<string>((resolve) => (cancelled = resolve));
  const handler = toNodeHandler({
    fetch: async () => {
      const gone = new Promise((resolve) => socket.once("close", resolve));
      socket.destroy();
      await gone;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response(new ReadableStream({ cancel: () => cancelled("cancelled") }));
    },
  });
  const http = createServer((request, response) => void handler(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  const socket = connect((http.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const late = new Promise((resolve) => setTimeout(resolve, 1_000, "still open"));
  expect(await Promise.race([isCancelled, late])).toBe("cancelled");
  http.close();
});
