/** `subscriptions/listen` over HTTP. */
import { describe, expect, test } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts } from "./hosts.js";
import { type Message, modern, open, R4, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const URI = "test://note";
const changed = (kind: string, id: unknown) => ({
  method: `notifications/${kind}`,
  params: { _meta: { [SUBSCRIPTION]: id } },
});

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions) {
    const subject = new Subject({ capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } });
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
