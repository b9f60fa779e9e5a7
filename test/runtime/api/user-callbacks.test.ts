import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Client, type ClientOptions } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, eras, errorOf, info, settled, text } from "./pair.js";

/** The ways in which a hook can fail. */
const failures: readonly (readonly [string, () => never])[] = [
  [
    "throws",
    () => {
      throw new Error("hook");
    },
  ],
  ["rejects", () => Promise.reject(new Error("hook")) as never],
];

function library(): McpServer {
  const server = new McpServer(info);
  server.registerTool("work", {}, (context) => {
    context.progress({ progress: 1 });
    return text("done");
  });
  return server;
}

test("hooks may be methods of the options", async () => {
  const heard: string[] = [];
  const options = {
    heard,
    onerror(error: Error) {
      this.heard.push(error.message);
    },
    onclose() {
      this.heard.push("closed");
    },
  };
  const { client } = await connect(library(), eras, options);
  client.connection.report(new Error("problem"));
  await client.close();
  expect(heard).toEqual(["problem", "closed"]);
});

test.each(eras)("%s: a hook may throw a value that cannot be printed", async (era) => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {
    throw new Error("not to be printed");
  });
  onTestFinished(() => print.mockRestore());
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = library();
  await server.connect(far);
  const client = new Client(info, { trace: failures[0]?.[1] as never });
  await client.connect(near, { era: era === "2025-11-25" ? "handshake" : "stateless" });
  expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
  expect(print).toHaveBeenCalled();
  await client.close();
});

describe.each(eras)("%s: a hook that", (era) => {
  describe.each(failures)("%s ends nothing, and is reported to onerror:", (_, fail) => {
    test("trace", async () => {
      const { client, problems } = await connect(library(), era, { trace: fail });
      expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
      await settled();
      expect(problems).toContainEqual(new Error("hook"));
    });

    test("onProgress", async () => {
      const { client, problems } = await connect(library(), era);
      expect(await client.callTool({ name: "work" }, { onProgress: fail })).toMatchObject(text("done"));
      await settled();
      expect(problems).toEqual([new Error("hook")]);
    });

    test("a change listener", async () => {
      const server = library();
      const { client, problems } = await connect(server, era);
      const other = vi.fn();
      client.onChanged("tools", fail);
      client.onChanged("tools", other);
      await settled();
      server.sendToolListChanged();
      await settled();
      expect(other).toHaveBeenCalledTimes(1);
      expect(problems).toEqual([new Error("hook")]);
    });

    test("onclose, of the client", async () => {
      const { client, problems } = await connect(library(), era, { onclose: fail });
      await client.close();
      await settled();
      expect(problems).toEqual([new Error("hook")]);
    });

    test("onclose, of the server", async () => {
      const server = library();
      const { client, problems } = await connect(server, era, { onclose: fail });
      await server.close();
      await settled();
      expect(problems).toEqual([new Error("hook")]);
      expect(await errorOf(client.listTools())).toMatchObject({ code: "NOT_CONNECTED" });
    });

    test("onerror itself", async () => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = new McpServer(info, { onerror: fail });
      server.registerTool("work", {}, () => text("done"));
      await server.connect(far);
      const client = new Client(info, { onerror: fail });
      await client.connect(near);
      near.send({ jsonrpc: "1.0" } as never);
      far.send({ jsonrpc: "1.0" } as never);
      await settled();
      expect(await client.callTool({ name: "work" })).toMatchObject(text("done"));
      await client.close();
    });
  });
});

describe("a server that exits again and again", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test.each(failures)("is restarted, although onerror %s", async (_, fail) => {
    const server = library();
    let starts = 0;
    const transport = {} as InMemoryTransport;
    let end: InMemoryTransport | undefined;
    Object.assign(transport, {
      async start() {
        if (++starts === 2) throw new Error("cannot be started");
        const [near, far] = InMemoryTransport.createLinkedPair();
        await server.connect(far);
        near.onmessage = (message) => transport.onmessage?.(message);
        await (end = near).start();
      },
      send: (message: never) => end?.send(message),
      close: () => end?.close() ?? Promise.resolve(),
    });
    const options: ClientOptions = { restart: { pauseMs: 100 }, onerror: fail };
    const client = new Client(info, options);
    await client.connect(transport);
    transport.onclose?.(new Error("crashed"));
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(200);
    await vi.waitFor(() => expect(client.era).toBeDefined());
    expect(starts).toBe(3);
    await client.close();
  });
});

test("an abort reason without a message ends a call like any other", async () => {
  const server = new McpServer(info);
  server.registerTool("never", {}, () => new Promise(() => undefined));
  const { client } = await connect(server, eras[0]);
  const controller = new AbortController();
  const reason: unknown = Object.create(null);
  const call = client.callTool({ name: "never" }, { signal: controller.signal });
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
});
