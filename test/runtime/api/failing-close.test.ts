import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { clientOf, eras, errorOf, info, text } from "./pair.js";

/** Broken implementations of a transport's `close`. */
const closes: readonly (readonly [string, () => Promise<void>])[] = [
  [
    "throws",
    () => {
      throw new Error("cannot be closed");
    },
  ],
  ["rejects", () => Promise.reject(new Error("cannot be closed"))],
  ["never calls onclose", () => Promise.resolve()],
];

describe.each(eras)("%s: a transport whose close", (era) => {
  test.each(closes)("%s does not block the client from connecting again", async (_, close) => {
    const server = new McpServer(info);
    server.registerTool("work", {}, () => text("done"));
    server.registerTool("never", {}, () => new Promise(() => undefined));
    const ends: unknown[] = [];
    const { client } = clientOf(era, { restart: {}, onclose: (error) => ends.push(error) });
    const connect = async (near: InMemoryTransport, far: InMemoryTransport): Promise<void> => {
      await server.connect(far);
      await client.connect(near);
    };
    const [near, far] = InMemoryTransport.createLinkedPair();
    await connect(near, far);
    near.close = close;
    const call = errorOf(client.callTool({ name: "never" }));
    await client.close().catch(() => undefined);
    expect(await call).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(ends).toEqual([undefined]);

    await connect(...InMemoryTransport.createLinkedPair());
    expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
    await client.close();
  });

  test.each(closes)("%s is removed from its server", async (_, close) => {
    const server = new McpServer(info);
    const [, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    far.close = close;
    await server.close().catch(() => undefined);
    expect(server.server.connections.size).toBe(0);
  });

  test.each(closes)("%s does not hide why connecting failed", async (_, close) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await far.start();
    near.close = close;
    const connecting = new Client(info).connect(near, { timeoutMs: 1, probeTimeoutMs: 1 });
    expect(await errorOf(connecting)).toMatchObject({ code: "CONNECT_TIMEOUT", cause: { code: "REQUEST_TIMEOUT" } });
  });
});
