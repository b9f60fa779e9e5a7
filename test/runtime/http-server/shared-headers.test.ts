/** Some hosts, such as `@hono/node-server` 1, replace `Response` by a class that writes into the headers that it gets. */
import { expect, onTestFinished, test, vi } from "vitest";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { call } from "./messages.js";
import { Subject } from "./subject.js";

test("each response gets headers of its own", async () => {
  const given: object[] = [];
  class Recorded extends Response {
    constructor(body: string | ReadableStream | null, init: { headers: Record<string, string> }) {
      super(body, init);
      const { headers } = init;
      given.push({ ...headers });
      headers["content-length"] = "1";
    }
  }
  vi.stubGlobal("Response", Recorded);
  onTestFinished(() => void vi.unstubAllGlobals());
  const handler = createMcpHandler(new Subject().server, { responseMode: "json" });
  onTestFinished(() => handler.close(0));
  const streaming = createMcpHandler(new Subject().server, { responseMode: "sse" });
  onTestFinished(() => streaming.close(0));
  for (const { fetch } of [handler, handler, streaming, streaming]) {
    const { body, headers } = call(1, "echo", { text: "x" });
    const sent = new Request("http://localhost/mcp", {
      method: "POST",
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
    });
    await (await fetch(sent)).text();
  }
  expect(given).toHaveLength(4);
  for (const headers of given) expect(headers).not.toHaveProperty("content-length");
});
