import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ClientOptions, ResponseCache } from "../../../../runtime/src/client.js";
import { SdkError } from "../../../../runtime/src/jsonrpc/errors.js";
import { clientOf, connectClient, R5, subscriptionKey } from "../../connection/connection-ends.js";
import { error, idle, notification, result, type Message, type Wire } from "../../connection/wire.js";

const changes = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true } };
const nothing: Message = { jsonrpc: "2.0" };
const done = { resultType: "complete" };
const acknowledgement = ({ id, params }: Message): object =>
  notification("notifications/subscriptions/acknowledged", {
    notifications: params?.["notifications"],
    _meta: { [subscriptionKey]: id },
  });

/** A client that starts to listen, and its request. */
async function listening(options: ClientOptions = {}) {
  const ends = await connectClient(R5, options, changes);
  let heard = 0;
  ends.client.onChanged("tools", () => heard++);
  return { ...ends, heard: () => heard, asked: await ends.wire.next() };
}

async function later(wire: Wire): Promise<Message[]> {
  await vi.advanceTimersByTimeAsync(800);
  return wire.rest();
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("a stream that does not start", () => {
  test.each<[string, (id: string | number) => object]>([
    ["is rejected for now", (id) => error(id, -32603, "later")],
    ["ends before it is acknowledged", (id) => result(id, { ...done, _meta: { [subscriptionKey]: id } })],
  ])("%s: is requested again, and reports a gap", async (_, answer) => {
    const { wire, asked, heard } = await listening();
    wire.receive(answer(asked.id ?? ""));
    expect(await wire.rest()).toEqual([]);
    const [again = nothing] = await later(wire);
    expect(again).toMatchObject({ method: "subscriptions/listen", params: asked.params });
    expect(heard()).toBe(0);
    wire.receive(acknowledgement(again));
    await idle();
    expect(heard()).toBe(1);
    expect(await later(wire)).toEqual([]);
  });

  test.each([-32601, -32602])("is rejected permanently with %i: is not requested again", async (code) => {
    const { wire, asked, errors } = await listening();
    wire.receive(error(asked.id ?? "", code));
    expect(await later(wire)).toEqual([]);
    expect(errors).toMatchObject([{ code }]);
  });

  const foreign = (): SdkError => new SdkError("HTTP_ERROR", "no backend", { status: 404 });

  test("gets a response that is not MCP: is not requested again", async () => {
    const { wire, client } = await connectClient(R5, {}, changes);
    wire.failure = foreign();
    client.onChanged("tools", () => undefined);
    expect(await later(wire)).toEqual([]);
    wire.failure = undefined;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await wire.rest()).toEqual([]);
  });

  test("gets such a response after it has worked: is requested again", async () => {
    const { wire, asked } = await listening();
    wire.receive(acknowledgement(asked));
    await idle();
    wire.receive(notification("notifications/cancelled", { requestId: asked.id }));
    wire.failure = foreign();
    expect(await later(wire)).toEqual([]);
    wire.failure = undefined;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await wire.rest()).toMatchObject([{ method: "subscriptions/listen" }]);
  });

  test("in place of another one: the old stream stays until more is granted", async () => {
    const { client, wire, asked, heard } = await listening();
    wire.receive(acknowledgement(asked));
    await idle();
    client.onChanged("prompts", () => undefined);
    const more = await wire.next();
    expect(more.params).toMatchObject({ notifications: { toolsListChanged: true, promptsListChanged: true } });
    wire.receive(error(more.id ?? "", -32603, "later"));
    await idle();
    wire.receive(notification("notifications/tools/list_changed", { _meta: { [subscriptionKey]: asked.id } }));
    await idle();
    expect(heard()).toBe(1);
    const [again = nothing] = await later(wire);
    expect(again.params).toEqual(more.params);
    wire.receive(acknowledgement(again));
    expect(await wire.rest()).toMatchObject([{ method: "notifications/cancelled", params: { requestId: asked.id } }]);
  });

  describe("and the wanted filter grows meanwhile", () => {
    /** A stream that has been lost, and a resource that is subscribed to after `ms`. */
    const widened = async (ms: number) => {
      const { client, wire, asked, heard } = await listening();
      wire.receive(acknowledgement(asked));
      await idle();
      wire.receive(notification("notifications/cancelled", { requestId: asked.id }));
      await vi.advanceTimersByTimeAsync(ms);
      const again = await wire.rest();
      const updates: string[] = [];
      const subscribed = client.subscribeResource({ uri: "a:b" }, (uri) => updates.push(uri));
      return { wire, heard, again, updates, subscribed, wider: await wire.next() };
    };

    test("before the retry: changes may have been missed", async () => {
      const { wire, heard, again, subscribed, wider } = await widened(0);
      wire.receive(acknowledgement(wider));
      expect([await subscribed, again, heard()]).toEqual([true, [], 1]);
      expect(await later(wire)).toEqual([]);
      expect(heard()).toBe(1);
    });

    test("after the retry: the stream with the smaller filter is closed, although it is acknowledged last", async () => {
      const { wire, heard, again, updates, subscribed, wider } = await widened(800);
      expect(again).toMatchObject([{ method: "subscriptions/listen" }]);
      for (const stream of [wider, ...again]) {
        wire.receive(acknowledgement(stream));
        await idle();
      }
      expect([await subscribed, heard()]).toEqual([true, 1]);
      expect(await wire.rest()).toMatchObject([
        { method: "notifications/cancelled", params: { requestId: again[0]?.id } },
      ]);
      updates.length = 0;
      const updated = { uri: "a:b", _meta: { [subscriptionKey]: wider.id } };
      wire.receive(notification("notifications/resources/updated", updated));
      await idle();
      expect(updates).toEqual(["a:b"]);
    });
  });

  test("for a resource: the subscriber gets the error, and it is not requested again", async () => {
    const { client, wire } = await connectClient(R5, {}, changes);
    const subscribed = client.subscribeResource({ uri: "a:b" }, () => undefined);
    wire.receive(error((await wire.next()).id ?? "", -32603, "later"));
    await expect(subscribed).rejects.toMatchObject({ code: -32603 });
    expect(await later(wire)).toEqual([]);
  });
});

test("a stream that the server ends with only a cancellation keeps nothing open", async () => {
  const { client, wire } = await clientOf(R5);
  const released: unknown[] = [];
  Object.assign(wire, { cancelRequest: (id: unknown) => released.push(id) });
  const stream = client.listen("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const asked = await wire.next();
  wire.receive(acknowledgement(asked));
  wire.receive(notification("notifications/cancelled", { requestId: asked.id }));
  expect(await stream.result).toEqual({});
  expect([released, client.waiting]).toEqual([[asked.id], 0]);
  expect(await wire.rest()).toEqual([]);
});

describe("a cache", () => {
  const kept = (body: object): object => ({ ...done, ttlMs: 60_000, cacheScope: "public", ...body });

  test("does not delay connecting for the acknowledgement of its stream", async () => {
    // Only the probe gets a response.
    const { client } = await connectClient(R5, { cache: new ResponseCache() }, changes);
    expect(client.era).toBe("stateless");
  });

  test("does not store responses to requests with input responses", async () => {
    const { wire, client } = await connectClient(R5, { cache: new ResponseCache() });
    for (const more of [{ requestState: "s" }, { inputResponses: {} }])
      for (const text of ["one", "two"]) {
        const read = client.readResource({ uri: "a:b", ...more });
        const { id = "", params } = await wire.next();
        expect(params).toMatchObject(more);
        wire.receive(result(id, kept({ contents: [{ uri: "a:b", text }] })));
        expect((await read).contents).toMatchObject([{ text }]);
      }
  });

  test("drops the pages of a list whose cursor is no longer valid", async () => {
    const { wire, client } = await connectClient(R5, { cache: new ResponseCache() });
    const list = client.listTools();
    wire.receive(result((await wire.next()).id ?? "", kept({ tools: [], nextCursor: "2" })));
    wire.receive(error((await wire.next()).id ?? "", -32602, "Invalid cursor"));
    await expect(list).rejects.toMatchObject({ code: -32602 });
    const again = client.listTools();
    const { id = "", params } = await wire.next();
    expect(params).not.toHaveProperty("cursor");
    wire.receive(result(id, kept({ tools: [] })));
    expect((await again).tools).toEqual([]);
  });
});

test("all iterators of a subscription end with it", async () => {
  const { client } = await clientOf(R5);
  const subscription = client.listen("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const heard = [0, 1].map(async () => {
    for await (const event of subscription) expect(event).toBeUndefined();
  });
  await idle();
  await subscription.close();
  await Promise.all(heard);
});
