import { expect, test } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { Subject } from "./subject.js";

const base = { accept: "application/json, text/event-stream", "content-type": "application/json", host: "localhost" };

test("a disconnect reported by body and by signal does not end a stream that was opened since", async () => {
  const subject = new Subject({ backplane: new MemoryBackplane() });
  const handler = createMcpHandler(subject.server);
  const send = (init: RequestInit): Promise<Response> => handler.fetch(new Request("http://localhost/mcp", init));
  const read = (answer: Response) => (answer.body as ReadableStream<Uint8Array> | null)?.getReader();
  const post = (message: object, headers: Record<string, string>): Promise<Response> =>
    send({ method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opened = await post({ id: 0, method: "initialize", params }, base);
  await opened.text();
  const headers = {
    ...base,
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await post({ method: "notifications/initialized" }, headers);

  const left = new AbortController();
  const first = read(await send({ headers, signal: left.signal }));
  const primed = new TextDecoder().decode((await first?.read())?.value);
  const lastEventId = /^id: (.+)$/m.exec(primed)?.[1] ?? "";
  await first?.cancel();
  const second = read(await send({ headers: { ...headers, "last-event-id": lastEventId } }));
  await second?.read();
  left.abort();
  await new Promise((resolve) => setImmediate(resolve));
  subject.server.sendToolListChanged();
  const changed = await second?.read();
  expect(new TextDecoder().decode(changed?.value)).toContain("notifications/tools/list_changed");
  await second?.cancel();
  await handler.close();
});
