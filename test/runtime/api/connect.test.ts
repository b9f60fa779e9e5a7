import { describe, expect, test, vi } from "vitest";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { clientOf, eras, errorOf, info, settled, text } from "./pair.js";

function library(): McpServer {
  const server = new McpServer(info);
  server.registerTool("work", {}, () => text("done"));
  return server;
}

/** A transport that never opens, but can be closed. */
function endless() {
  const [transport] = InMemoryTransport.createLinkedPair();
  const start = vi.spyOn(transport, "start").mockReturnValue(new Promise(() => undefined));
  return { transport, start, close: vi.spyOn(transport, "close") };
}

describe.each(eras)("%s: a client that is closed while it connects", (era) => {
  test("is closed at any step, and can connect again", async () => {
    for (let moment = 0; moment < 80; moment++) {
      const server = library();
      const { client } = clientOf(era);
      const [near, far] = InMemoryTransport.createLinkedPair();
      const [next, nextFar] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      await server.connect(nextFar);
      const connecting = client.connect(near).catch((error: unknown) => error);
      for (let turn = 0; turn < moment; turn++) await Promise.resolve();
      await client.close();
      expect([moment, client.era]).toEqual([moment, undefined]);
      await client.connect(next);
      expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
      await client.close();
      await connecting;
      await settled();
      expect(server.server.connections.size).toBe(0);
    }
  });

  test("does not wait for a transport that does not open", async () => {
    const { transport, close } = endless();
    const { client } = clientOf(era);
    const connecting = errorOf(client.connect(transport));
    await client.close();
    expect(await connecting).toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(close).toHaveBeenCalledTimes(1);
  });
});

describe.each(eras)("%s: a starting transport", (era) => {
  test("may close the client at once", async () => {
    const { transport, start, close } = endless();
    const { client } = clientOf(era);
    let closed: Promise<void> | undefined;
    start.mockImplementation(() => {
      closed = client.close();
      return new Promise(() => undefined);
    });
    expect(await errorOf(client.connect(transport))).toMatchObject({ code: "REQUEST_CANCELLED" });
    await closed;
    expect(close).toHaveBeenCalledTimes(1);
  });

  test("does not have to return a promise", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await library().connect(far);
    const start = near.start.bind(near);
    near.start = () => void start() as never;
    const { client } = clientOf(era);
    await client.connect(near);
    expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
    await client.close();
  });
});

test("a client whose signal is invalid can connect again", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await library().connect(far);
  const { client } = clientOf(eras);
  await expect(client.connect(near, { signal: {} as AbortSignal })).rejects.toThrow(TypeError);
  await client.connect(near);
  await client.close();
});

describe.each(eras)("%s: a signal", (era) => {
  test("aborts the opening of a transport", async () => {
    const { transport, close } = endless();
    const { client } = clientOf(era);
    const controller = new AbortController();
    const connecting = client.connect(transport, { signal: controller.signal });
    controller.abort("enough");
    await expect(connecting).rejects.toBe("enough");
    expect(close).toHaveBeenCalledTimes(1);
  });

  test("that is already aborted prevents the opening of a transport", async () => {
    const { transport, start } = endless();
    const { client } = clientOf(era);
    await expect(client.connect(transport, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    expect(start).not.toHaveBeenCalled();
    const [near, far] = InMemoryTransport.createLinkedPair();
    await library().connect(far);
    await client.connect(near);
    await client.close();
  });
});
