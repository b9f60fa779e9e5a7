/** `subscriptions/listen` over HTTP. */
import { describe, expect, test } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import type { McpServerOptions, ServerContext } from "../../../runtime/src/server.js";
import { hosts } from "./hosts.js";
import { type Message, modern, open, R4, request, turn, until } from "./messages.js";
import { ada, bob, Subject } from "./subject.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const URI = "test://note";
const changed = (kind: string, id: unknown) => ({
  method: `notifications/${kind}`,
  params: { _meta: { [SUBSCRIPTION]: id } },
});

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions, more?: McpServerOptions) {
    const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true } };
    const subject = new Subject({ capabilities, ...more });
    return { subject, at: await host(subject.server, options) };
  }

  test("acknowledges each stream, then sends the changes of its filter with its own id", async () => {
    const { subject, at } = await start();
    const listen = (id: unknown, notifications: object) =>
      at.send(modern(id, "subscriptions/listen", { notifications }));
    const tools = await listen(7, { toolsListChanged: true });
    const text = await listen("7", { toolsListChanged: true, promptsListChanged: true });
    const note = await listen(7, { resourceSubscriptions: [URI] });
    for (const stream of [tools, text, note]) {
      expect([stream.status, stream.type, stream.header("x-accel-buffering")]).toEqual([
        200,
        "text/event-stream",
        "no",
      ]);
      expect(await stream.message()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    }
    subject.server.sendToolListChanged();
    subject.server.sendPromptListChanged();
    subject.server.sendResourceUpdated({ uri: URI });
    expect(await tools.message()).toMatchObject(changed("tools/list_changed", 7));
    expect(await text.message()).toMatchObject(changed("tools/list_changed", "7"));
    expect(await text.message()).toMatchObject(changed("prompts/list_changed", "7"));
    expect(await note.message()).toMatchObject({ ...changed("resources/updated", 7), params: { uri: URI } });
    tools.cut();
    await until(() => subject.server.server.connections.size === 2);
    subject.server.sendToolListChanged();
    expect(await text.message()).toMatchObject(changed("tools/list_changed", "7"));
    expect([tools.waiting, note.waiting]).toEqual([[], []]);
  });

  test("grants only the resources that canSubscribe permits to the principal", async () => {
    const asked: unknown[] = [];
    const canSubscribe = async (uri: string, { principal }: ServerContext): Promise<boolean> => {
      await turn();
      asked.push([uri, principal?.subject]);
      return uri === URI && principal?.subject === "ada";
    };
    const { at, subject } = await start({}, { canSubscribe });
    const notifications = { toolsListChanged: true, resourceSubscriptions: [URI, "test://other"] };
    const listen = (principal: typeof ada) =>
      at.send(modern(1, "subscriptions/listen", { notifications }, { principal }));
    const [adas, bobs] = [await listen(ada), await listen(bob)];
    const granted = { params: { notifications: { toolsListChanged: true, resourceSubscriptions: [URI] } } };
    expect(await adas.message()).toMatchObject(granted);
    expect(await bobs.message()).toMatchObject({ params: { notifications: { resourceSubscriptions: [] } } });
    expect(asked).toContainEqual(["test://other", "bob"]);
    subject.server.sendResourceUpdated({ uri: URI });
    subject.server.sendToolListChanged();
    expect(await adas.message()).toMatchObject({ method: "notifications/resources/updated" });
    expect(await bobs.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    for (const stream of [adas, bobs]) stream.cut();
    const session = await open(at, R4, { principal: ada });
    const subscribe = async (id: number, uri: string) =>
      (await (await session.post(request(id, "resources/subscribe", { uri }))).json()) as Message;
    expect(await subscribe(1, URI)).toMatchObject({ result: {} });
    expect(await subscribe(2, "test://other")).toMatchObject({ error: { code: -32002 } });
  });

  test("notifies a handshake-era session once, without a subscription id", async () => {
    const { subject, at } = await start();
    const session = await open(at, R4);
    const get = await session.get();
    const listening = await at.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
    await listening.message();
    subject.server.sendToolListChanged();
    const untagged = (await get.message()) as Message;
    expect([untagged.method, untagged.params]).toEqual(["notifications/tools/list_changed", undefined]);
    expect(await listening.message()).toMatchObject(changed("tools/list_changed", 1));
    await turn(5);
    expect([get.waiting, listening.waiting]).toEqual([[], []]);
  });

  test("opens a stream even with responseMode json", async () => {
    const { subject, at } = await start({ responseMode: "json", keepAliveMs: 20 });
    const listening = await at.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
    await listening.message();
    expect(await listening.block()).toEqual({ comment: "" });
    subject.server.sendToolListChanged();
    expect(await listening.message()).toMatchObject(changed("tools/list_changed", 1));
  });

  test("is rejected beyond maxStreams", async () => {
    const { at } = await start({ maxStreams: 1 });
    const listen = () => at.send(modern(1, "subscriptions/listen", { notifications: {} }));
    const first = await listen();
    await first.message();
    const refused = await listen();
    expect([refused.status, ((await refused.json()) as Message).error?.code]).toEqual([503, -32603]);
  });

  test("closes the stream of a client that reads too slowly", async () => {
    const { subject, at } = await start({ maxQueuedBytes: 50_000 });
    const stuck = at.unread(modern(1, "subscriptions/listen", { notifications: { resourceSubscriptions: [URI] } }));
    await stuck.opened;
    const { connections } = subject.server.server;
    const [connection] = connections;
    for (let times = 0; times < 1_000 && connections.size > 0; times++) {
      connection?.notifyInBackground("notifications/resources/updated", {
        uri: URI,
        _meta: { [SUBSCRIPTION]: 1, pad: `${times}${"x".repeat(40_000)}` },
      });
      if (times % 20 === 0) await turn();
    }
    expect([await stuck.isCut(), connections.size]).toEqual([true, 0]);
  });
});
