import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client/core.js";
import { ResponseCache } from "../../runtime/src/client/response-cache.js";
import { MemoryBackplane } from "../../runtime/src/backplane.js";
import { Recorder } from "../../runtime/src/testing.js";
import { Network, reach } from "./http.js";
import { R4, R5 } from "./messages.js";
import { nodeCount } from "./nodes.js";
import { serve } from "./nodes.js";
import { library, openLibrary } from "./servers/library.js";

const uri = "file:///project/src/main.rs";
const subscriptionId = "io.modelcontextprotocol/subscriptionId";

/** A server of both eras that stores events for its sessions, and one subscriber of each era. */
async function subscribed() {
  const state = openLibrary();
  const served = await serve((shared) =>
    library(
      {
        options: {
          capabilities: { logging: {} },
          backplane: new MemoryBackplane(),
          cacheHints: { "resources/read": { ttlMs: 60_000, cacheScope: "private" } },
          ...shared,
        },
      },
      state,
    ),
  );
  const subscribe = async (revision: string) => {
    const recorder = new Recorder();
    const errors: Error[] = [];
    const network = new Network();
    const heard: string[] = [];
    const client = new Client(
      { name: revision, version: "1" },
      {
        revisions: clientSides.filter((side) => side.revision === revision),
        conversions,
        trace: recorder.trace,
        cache: new ResponseCache(),
        onerror: (error) => void errors.push(error),
      },
    );
    const transport = reach(served, { fetch: network.fetch });
    onTestFinished(() => client.close());
    await client.connect(transport);
    expect(await client.subscribeResource({ uri }, (changed) => void heard.push(changed))).toBe(true);
    return {
      client,
      transport,
      network,
      errors,
      heard,
      recorder,
      /** The received notifications. */
      updates: () => recorder.find("in", "notifications/resources/updated") as { params: { _meta?: object } }[],
      sent: (method: string) => recorder.find("out", method).length,
    };
  };
  const [legacy, modern] = [await subscribe(R4), await subscribe(R5)];
  await legacy.client.setLoggingLevel("info");
  return { served, legacy, modern, update: () => served.nodes[0]?.server.sendResourceUpdated({ uri }) };
}

test("sends each subscriber one message, in the form of its era", async () => {
  const { legacy, modern, update } = await subscribed();
  update();
  await expect.poll(() => [legacy.heard, modern.heard]).toEqual([[uri], [uri]]);
  expect(legacy.updates()).toMatchObject([{ params: { uri } }]);
  expect(legacy.updates()[0]?.params).not.toHaveProperty("_meta");
  const listen = modern.recorder.find("out", "subscriptions/listen").at(-1) as { id: unknown } | undefined;
  expect(modern.updates()).toMatchObject([{ params: { uri, _meta: { [subscriptionId]: listen?.id } } }]);
});

// At several nodes, equal changes that the client has missed can arrive as one.
const atOneNode = nodeCount === 1 ? ["sends a session the missed messages once"] : [];
test.each(atOneNode)("%s, when its stream is resumed", async () => {
  const { legacy, modern, update } = await subscribed();
  update();
  await expect.poll(() => legacy.heard.length).toBe(1);
  const line = legacy.network.cut("GET");
  for (const count of [2, 3]) {
    update();
    await expect.poll(() => modern.heard.length).toBe(count);
  }
  expect(legacy.heard).toHaveLength(1);
  line.release();
  await expect.poll(() => legacy.heard.length).toBe(3);
  update();
  await expect.poll(() => [legacy.updates().length, modern.updates().length]).toEqual([4, 4]);
  expect([legacy.errors, modern.errors]).toEqual([[], []]);
});

test("replays nothing to a subscriber of the stateless era, whose client treats everything as changed", async () => {
  const { legacy, modern, update } = await subscribed();
  for (const _ of [1, 2]) await modern.client.readResource({ uri });
  expect(modern.sent("resources/read")).toBe(1);
  const listens = modern.sent("subscriptions/listen");
  const line = modern.network.cut("subscriptions/listen");
  update();
  await expect.poll(() => legacy.heard.length).toBe(1);
  line.release();
  await expect.poll(() => modern.heard, { timeout: 5_000 }).toEqual([uri]);
  expect(modern.updates()).toEqual([]);
  expect(modern.sent("subscriptions/listen")).toBe(listens + 1);
  await modern.client.readResource({ uri });
  expect(modern.sent("resources/read")).toBe(2);
  update();
  await expect.poll(() => [legacy.updates().length, modern.updates().length]).toEqual([2, 1]);
});

test("replaces a session that another client deleted, restores its subscriptions, and keeps the others", async () => {
  const { served, legacy, modern, update } = await subscribed();
  const listens = modern.sent("subscriptions/listen");
  const { sessionId } = legacy.transport;
  const headers = { "mcp-session-id": sessionId ?? "", "mcp-protocol-version": R4 };
  expect((await fetch(served.url, { method: "DELETE", headers })).status).toBe(200);
  expect((await fetch(served.url, { method: "DELETE", headers })).status).toBe(404);
  await expect.poll(() => [legacy.sent("resources/subscribe"), legacy.sent("logging/setLevel")]).toEqual([2, 2]);
  expect(legacy.sent("initialize")).toBe(2);
  expect(legacy.transport.sessionId).not.toBe(sessionId);
  // The stream of the new session may not be open yet; the server stores earlier messages until it is.
  update();
  await expect.poll(() => [legacy.updates().length, modern.updates().length]).toEqual([1, 1]);
  expect(modern.sent("subscriptions/listen")).toBe(listens);
  expect(modern.errors).toEqual([]);
});
