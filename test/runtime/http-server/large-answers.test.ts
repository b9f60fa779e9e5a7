/** Clients that read as fast as they can receive answers that are larger than `maxQueuedBytes`. */
import { describe, expect, test } from "vitest";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { type Answer, hosts } from "./hosts.js";
import { call, initialize, type Message, notification, open, plain, R1, R2, R4, request } from "./messages.js";
import { Subject, text } from "./subject.js";

const maxQueuedBytes = 100_000;
const size = 1_000_000;
const META = { "io.modelcontextprotocol/logLevel": "info" };

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions, backplane?: Backplane) {
    const subject = new Subject({ backplane });
    subject.server.registerTool("large", {}, (context) => {
      context.log("warning", "first");
      return text("x".repeat(size));
    });
    return host(subject.server, { maxQueuedBytes, ...options });
  }

  async function expectLarge(answer: Answer): Promise<void> {
    const messages = (await answer.messages()) as Message[];
    expect(messages[0]).toMatchObject({ params: { data: "first" } });
    const last = messages.slice(1).flat();
    expect(last[0]).toMatchObject({ id: 1, result: {} });
    expect(JSON.stringify(last).length).toBeGreaterThan(size);
    expect(await answer.isWhole()).toBe(true);
  }

  test("in a session", async () => {
    const session = await open(await start(), R4);
    await expectLarge(await session.call(1, "large"));
  });

  test("in a session whose streams can be resumed", async () => {
    const session = await open(await start({}, new MemoryBackplane()), R4);
    await expectLarge(await session.call(1, "large"));
  });

  test("in a batch", async () => {
    const session = await open(await start(), R2);
    await expectLarge(await session.post([request(1, "tools/call", { name: "large" })]));
  });

  test("in the stateless era", async () => {
    await expectLarge(await (await start()).send(call(1, "large", undefined, { meta: META })));
  });

  test("over HTTP+SSE", async () => {
    const at = await start();
    const stream = await at.send({ method: "GET", headers: { accept: "text/event-stream" } });
    const path = (await stream.block()).data ?? "";
    for (const message of [initialize(R1), notification("notifications/initialized")])
      await at.send(plain(message, { path }));
    expect(await stream.message()).toMatchObject({ id: 0 });
    await at.send(plain(request(1, "tools/call", { name: "large" }), { path }));
    expect(await stream.message()).toMatchObject({ params: { data: "first" } });
    expect(JSON.stringify(await stream.message()).length).toBeGreaterThan(size);
    stream.cut();
  });
});
