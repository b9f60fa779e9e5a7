import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../../../runtime/src/server.js";
import {
  clientOf,
  modern,
  openOf,
  R5,
  serve,
  serverInfo,
  serverInfoKey,
  subscriptionKey,
} from "../../connection/connection-ends.js";
import { error, idle, notification, request, result, type Wire } from "../../connection/wire.js";

const everything = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};
const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

function listen(wire: Wire, id: string | number, notifications: object, capabilities?: object): void {
  wire.receive(request(id, "subscriptions/listen", modern({ notifications }, capabilities)));
}

const tagged = (id: unknown, body: object = {}): object => ({ ...body, _meta: { [subscriptionKey]: id } });
const acknowledged = (id: unknown, notifications: object): object =>
  notification("notifications/subscriptions/acknowledged", tagged(id, { notifications }));

async function server(options: ServerOptions = {}) {
  return serve({ capabilities: everything, ...options });
}

describe("a stream", () => {
  test.each([1, "1", "s-7", 0])("with id %j is acknowledged first, and keeps the type of its id", async (id) => {
    const { wire, server: served } = await server();
    served.notifyChanged({ kind: "tools" });
    listen(wire, id, { toolsListChanged: true });
    expect(wire.sent).toEqual([acknowledged(id, { toolsListChanged: true })]);
    expect(wire.beside).toEqual([{ relatedRequestId: id }]);
    expect(await wire.rest()).toEqual([
      acknowledged(id, { toolsListChanged: true }),
      notification("notifications/tools/list_changed", tagged(id)),
    ]);
  });

  test.each<[string, object, object, object]>([
    [
      "the whole filter",
      everything,
      { ...all, resourceSubscriptions: ["a:b"] },
      { ...all, resourceSubscriptions: ["a:b"] },
    ],
    [
      "the declared part",
      { tools: { listChanged: true } },
      { ...all, resourceSubscriptions: ["a:b"] },
      { toolsListChanged: true },
    ],
    ["nothing", { tools: {}, resources: {} }, { ...all, resourceSubscriptions: ["a:b"] }, {}],
    [
      "no more than requested",
      everything,
      { promptsListChanged: true, toolsListChanged: false },
      { promptsListChanged: true },
    ],
    ["an empty filter", everything, {}, {}],
    [
      "list changes without resource updates",
      { resources: { listChanged: true } },
      { resourcesListChanged: true, resourceSubscriptions: ["a:b"] },
      { resourcesListChanged: true },
    ],
    [
      "resource updates without list changes",
      { resources: { subscribe: true } },
      { resourcesListChanged: true, resourceSubscriptions: ["a:b"] },
      { resourceSubscriptions: ["a:b"] },
    ],
  ])("is granted %s", async (_, capabilities, wanted, granted) => {
    const { wire } = await server({ capabilities });
    listen(wire, 1, wanted);
    expect(await wire.rest()).toEqual([acknowledged(1, granted)]);
  });

  test.each<[string, object]>([
    ["no filter", {}],
    ["a filter that is an array", { notifications: [] }],
    ["a filter with a string instead of true", { notifications: { toolsListChanged: "yes" } }],
    ["URIs that are not an array", { notifications: { resourceSubscriptions: "a:b" } }],
  ])("with %s is -32602", async (_, params) => {
    const { wire } = await server();
    expect(await wire.ask(1, "subscriptions/listen", modern(params))).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test("receives only the changes of its filter", async () => {
    const { wire, server: served } = await server();
    const changes = [
      { kind: "tools" },
      { kind: "prompts" },
      { kind: "resources" },
      { kind: "resources", uri: "file:///a" },
      { kind: "resources", uri: "file:///a/b" },
      { kind: "resources", uri: "file:///ab" },
    ] as const;
    const heard = async (filter: object): Promise<unknown[]> => {
      listen(wire, 1, filter);
      wire.take();
      for (const change of changes) served.notifyChanged(change);
      const sent = await wire.rest();
      wire.receive(notification("notifications/cancelled", { requestId: 1 }));
      return sent.map(({ method, params }) => params?.["uri"] ?? method?.split("/")[1]);
    };
    expect(await heard({ toolsListChanged: true })).toEqual(["tools"]);
    expect(await heard({ promptsListChanged: true, resourcesListChanged: true })).toEqual(["prompts", "resources"]);
    expect(await heard({ resourceSubscriptions: ["file:///a"] })).toEqual(["file:///a", "file:///a/b"]);
    expect(await heard({ resourceSubscriptions: ["file:///a/"] })).toEqual(["file:///a/b"]);
    expect(await heard({})).toEqual([]);
  });

  test("receives its own notifications, also where filters overlap", async () => {
    const { wire, server: served } = await server();
    listen(wire, 1, { toolsListChanged: true });
    listen(wire, "1", { toolsListChanged: true, promptsListChanged: true });
    listen(wire, 2, { promptsListChanged: true });
    wire.take();
    served.notifyChanged({ kind: "tools" });
    served.notifyChanged({ kind: "prompts" });
    await idle();
    expect(wire.beside.map((one) => one?.relatedRequestId)).toEqual([1, "1", "1", 2]);
    expect(wire.take().map(({ method, params }) => [method, params?._meta?.[subscriptionKey]])).toEqual([
      ["notifications/tools/list_changed", 1],
      ["notifications/tools/list_changed", "1"],
      ["notifications/prompts/list_changed", "1"],
      ["notifications/prompts/list_changed", 2],
    ]);
  });

  test("receives equal changes of one turn once", async () => {
    const { wire, server: served } = await server();
    listen(wire, 1, { toolsListChanged: true, resourceSubscriptions: ["a:b", "a:c"] });
    wire.take();
    for (let turn = 0; turn < 10; turn++)
      for (const uri of ["a:b", "a:c", undefined])
        served.notifyChanged(uri === undefined ? { kind: "tools" } : { kind: "resources", uri });
    expect(await wire.rest()).toHaveLength(3);
  });

  test("sends nothing without a stream", async () => {
    const { wire, server: served } = await server();
    await wire.ask(1, "server/discover", modern());
    served.notifyChanged({ kind: "tools" });
    expect(await wire.rest()).toEqual([]);
  });

  test("keeps its id in use", async () => {
    const { wire } = await server();
    listen(wire, 1, {});
    wire.take();
    listen(wire, 1, {});
    expect(await wire.rest()).toEqual([error(1, -32600, "Invalid Request: id is in use")]);
  });

  test("is rejected beyond the limit", async () => {
    const { wire } = await server({ limits: { subscriptions: 2 } });
    for (const id of [1, 2, 3]) listen(wire, id, {});
    expect((await wire.rest()).slice(2)).toEqual([error(3, -32603, "Too many subscriptions")]);
    wire.receive(notification("notifications/cancelled", { requestId: 1 }));
    listen(wire, 4, {});
    expect(await wire.rest()).toEqual([acknowledged(4, {})]);
  });
});

describe("a stream ends", () => {
  test("by the client's cancellation: without a result", async () => {
    const { wire, server: served, connection } = await server();
    listen(wire, 1, all);
    listen(wire, 2, all);
    wire.take();
    wire.receive(notification("notifications/cancelled", { requestId: 1 }));
    served.notifyChanged({ kind: "tools" });
    expect(await wire.rest()).toEqual([notification("notifications/tools/list_changed", tagged(2))]);
    expect(connection.subscriptionStreams.size).toBe(1);
    expect(openOf(connection).handling).toBe(1);
  });

  test("by the server's shutdown: with the result, the cancellation, then the close", async () => {
    const { wire, server: served, connection } = await server();
    listen(wire, 1, all);
    listen(wire, "b", {});
    wire.take();
    await served.close();
    const ending = (id: unknown) => ({
      jsonrpc: "2.0",
      id,
      result: { resultType: "complete", _meta: { [subscriptionKey]: id, [serverInfoKey]: serverInfo } },
    });
    const cancelled = (requestId: unknown) => notification("notifications/cancelled", { requestId });
    expect(wire.take()).toEqual([ending(1), ending("b"), cancelled(1), cancelled("b")]);
    expect(wire.isClosed).toBe(true);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });

  test("without a cancellation, where the transport has a stream for each", async () => {
    const { wire, server: served } = await server();
    Object.assign(wire, { isStateless: true });
    listen(wire, 1, all);
    wire.take();
    await served.close();
    expect(wire.take()).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
  });

  test("with the connection", async () => {
    const { wire, server: served, connection, errors } = await server();
    listen(wire, 1, all);
    wire.take();
    wire.break();
    served.notifyChanged({ kind: "tools" });
    expect(await wire.rest()).toEqual([]);
    expect(connection.subscriptionStreams.size).toBe(0);
    expect(errors).toEqual([]);
  });
});

describe("a client's stream", () => {
  async function open(notifications: object = all) {
    const ends = await clientOf(R5, { serverCapabilities: everything });
    const stream = ends.client.listen("subscriptions/listen", { notifications });
    const { id = "" } = await ends.wire.next();
    return { ...ends, stream, id };
  }

  test("starts with the acknowledgement, returns the events, and ends with the result", async () => {
    const { wire, stream, id, client } = await open();
    wire.receive(acknowledged(id, { toolsListChanged: true }));
    expect(await stream.acknowledged).toMatchObject({ notifications: { toolsListChanged: true } });
    wire.receive(notification("notifications/tools/list_changed", tagged(id)));
    wire.receive(notification("notifications/resources/updated", tagged(id, { uri: "a:b" })));
    wire.receive(result(id, tagged(id)));
    wire.receive(notification("notifications/cancelled", { requestId: id }));
    const events: unknown[] = [];
    for await (const { method } of stream) events.push(method);
    expect(events).toEqual(["notifications/tools/list_changed", "notifications/resources/updated"]);
    expect(await stream.result).toEqual(tagged(id));
    expect(wire.take()).toEqual([]);
    expect(client.waiting).toBe(0);
  });

  test("ends with the cancellation, if the result is lost", async () => {
    const { wire, stream, id } = await open();
    wire.receive(acknowledged(id, {}));
    wire.receive(notification("notifications/cancelled", { requestId: id }));
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toEqual([]);
    expect(await stream.result).toEqual({});
  });

  test.each<[string, (stream: Awaited<ReturnType<typeof open>>["stream"]) => Promise<unknown>]>([
    ["closed", (stream) => stream.close()],
    [
      "left",
      async (stream) => {
        for await (const event of stream) return event;
        return undefined;
      },
    ],
  ])("is cancelled once when %s", async (_, leave) => {
    const { wire, stream, id, client } = await open();
    wire.receive(acknowledged(id, {}));
    wire.receive(notification("notifications/tools/list_changed", tagged(id)));
    await leave(stream);
    await stream.close();
    expect(wire.take()).toMatchObject([{ method: "notifications/cancelled", params: { requestId: id } }]);
    wire.receive(notification("notifications/tools/list_changed", tagged(id)));
    wire.receive(result(id));
    expect(await wire.rest()).toEqual([]);
    await expect(stream.result).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(client.waiting).toBe(0);
  });

  test.each<[string, (wire: Wire, id: string | number) => void, unknown]>([
    ["is rejected", (wire, id) => wire.receive(error(id, -32603)), -32603],
    ["ends before the acknowledgement", (wire, id) => wire.receive(result(id)), "INVALID_MESSAGE"],
    ["breaks", (wire) => wire.break(), "CONNECTION_CLOSED"],
  ])("that %s rejects the wait for the acknowledgement", async (_, end, code) => {
    const { wire, stream, id } = await open();
    end(wire, id);
    await expect(stream.acknowledged).rejects.toMatchObject({ code });
  });

  test("that breaks rejects the read", async () => {
    const { wire, stream, id } = await open();
    wire.receive(acknowledged(id, {}));
    wire.break(new Error("cable"));
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await expect(stream.result).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test.each<[string, (id: string | number) => object]>([
    ["an event before the acknowledgement", (id) => notification("notifications/tools/list_changed", tagged(id))],
    ["an acknowledgement of an unknown stream", () => acknowledged("99", {})],
    ["an id of another type", (id) => acknowledged(String(id), {})],
  ])("ignores %s", async (_, message) => {
    const { wire, stream, id, errors } = await open();
    wire.receive(message(id));
    expect(errors).toMatchObject([{ code: "INVALID_MESSAGE" }]);
    wire.receive(acknowledged(id, {}));
    await stream.acknowledged;
    wire.receive(result(id));
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toEqual([]);
  });

  test("never times out", async () => {
    const { stream, client } = await open();
    await idle();
    expect(client.waiting).toBe(1);
    await stream.close();
  });

  test("that is not read is closed before it fills the memory", async () => {
    const { wire, stream, id } = await open();
    wire.receive(acknowledged(id, {}));
    for (let turn = 0; turn <= 10_000; turn++)
      wire.receive(notification("notifications/tools/list_changed", tagged(id)));
    await expect(stream.result).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    expect(wire.take()).toMatchObject([{ method: "notifications/cancelled", params: { requestId: id } }]);
  });

  test("is not available in the handshake era", async () => {
    const { client, wire } = await clientOf("2025-11-25");
    expect(() => client.listen("subscriptions/listen", { notifications: {} })).toThrow("does not have it");
    expect(() => client.listen("tools/list", undefined)).toThrow("does not open a stream");
    expect(wire.sent).toEqual([]);
  });
});
