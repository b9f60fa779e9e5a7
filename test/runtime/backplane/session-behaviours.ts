/** What holds for handshake sessions at several nodes, over any backplane. Each request of a client reaches the next node. */
import { describe, expect, test, vi } from "vitest";
import { request } from "../http-server/messages.js";
import {
  connect,
  eventsOf,
  type NewBackplane,
  nextMessage,
  type Node,
  Raw,
  startNodes,
  textOf,
  uri,
} from "./session-nodes.js";

const revisions = ["2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** Adds the tests. @param newBackplane returns a backplane for one node; all share what is in them */
export function describeSessions(newBackplane: NewBackplane): void {
  describe.each(revisions)("%s", (revision) => {
    test("each request of a client reaches another node", async () => {
      const nodes = await startNodes(newBackplane);
      const { client } = await connect(nodes, revision);
      const names = new Set<unknown>();
      for (let times = 0; times < 9; times++) names.add(textOf(await client.callTool({ name: "where" })));
      expect(names.size).toBe(3);
      expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
    });

    test("the response to a request of a handler reaches another node", async () => {
      const nodes = await startNodes(newBackplane);
      const { client } = await connect(nodes, revision);
      for (let times = 0; times < 5; times++) {
        expect(textOf(await client.callTool({ name: "sample" }))).toContain("sampled");
        if (revision !== "2025-03-26") expect(textOf(await client.callTool({ name: "greet" }))).toMatch(/: Ada$/);
      }
      expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
    });

    test("a cancellation reaches the node of the request", async () => {
      const nodes = await startNodes(newBackplane);
      const { client } = await connect(nodes, revision);
      for (let times = 1; times < 4; times++) {
        const aborting = new AbortController();
        const call = client.callTool({ name: "wait" }, { signal: aborting.signal, onProgress: () => aborting.abort() });
        await expect(call).rejects.toThrow();
        const total = (): number => nodes.reduce((sum, { state }) => sum + state.aborted, 0);
        await vi.waitFor(() => expect(total()).toBe(times));
      }
    });

    test("changes at any node reach the client once; subscriptions are known everywhere", async () => {
      const nodes = await startNodes(newBackplane);
      const [a, b, c] = nodes;
      const { client, received } = await connect(nodes, revision);
      await client.subscribeResource({ uri }, () => received.push(uri));
      await vi.waitFor(() =>
        expect(nodes.some(({ server }) => [...server.server.connections].some(isListening))).toBe(true),
      );
      a.server.sendToolListChanged();
      b.server.sendResourceListChanged();
      c.server.sendResourceUpdated({ uri });
      await vi.waitFor(() => expect([...received].sort()).toEqual([uri, "resources", "tools"]));
      await client.unsubscribeResource({ uri });
      a.server.sendResourceUpdated({ uri });
      b.server.sendToolListChanged();
      await vi.waitFor(() => expect(received.slice(3)).toEqual(["tools"]));
    });
  });

  test("the log level is known at every node", async () => {
    const [a, b] = await startNodes(newBackplane);
    const raw = await new Raw().open(a);
    const call = async (): Promise<string> =>
      (await raw.send(b, "POST", request(1, "tools/call", { name: "log", arguments: {} }))).text();
    expect(await call()).not.toContain("detail");
    expect((await raw.send(a, "POST", request(2, "logging/setLevel", { level: "debug" }))).status).toBe(200);
    expect(await call()).toContain("detail");
  });

  test("changes that two nodes make at the same time are known at both", async () => {
    const [a, b] = await startNodes(newBackplane);
    const raw = await new Raw().open(a);
    const call = async (node: Node): Promise<string> =>
      (await raw.send(node, "POST", request(1, "tools/call", { name: "log", arguments: {} }))).text();
    for (const node of [a, b]) expect(await call(node)).not.toContain("detail");
    const changes = await Promise.all([
      raw.send(a, "POST", request(2, "logging/setLevel", { level: "debug" })),
      raw.send(b, "POST", request(3, "resources/subscribe", { uri })),
    ]);
    expect(changes.map(({ status }) => status)).toEqual([200, 200]);
    for (const node of [a, b]) expect(await call(node)).toContain("detail");
  });

  test("DELETE at one node ends the session at all", async () => {
    const [a, b, c] = await startNodes(newBackplane);
    const raw = await new Raw().open(a);
    const ping = async (node: Node): Promise<number> => (await raw.send(node, "POST", request(1, "ping"))).status;
    const listening = await raw.send(c, "GET");
    expect([await ping(a), await ping(b), await ping(c)]).toEqual([200, 200, 200]);
    expect((await raw.send(b, "DELETE")).status).toBe(200);
    expect([await ping(c), await ping(a), await ping(b)]).toEqual([404, 404, 404]);
    // Its stream ends, too.
    await listening.text();
  });

  test("a session that is used at any node stays; one that is not ends everywhere", async () => {
    const [a, b] = await startNodes(newBackplane, { sessions: { idleMs: 400 } });
    const raw = await new Raw().open(a);
    const ping = async (node: Node): Promise<number> => (await raw.send(node, "POST", request(1, "ping"))).status;
    for (let times = 0; times < 8; times++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await ping(b)).toBe(200);
    }
    expect(await ping(a)).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect([await ping(a), await ping(b)]).toEqual([404, 404]);
  });

  test("a node that shuts down does not end the sessions of others", async () => {
    const [a, b] = await startNodes(newBackplane);
    const raw = await new Raw().open(a);
    await a.handler.close(0);
    await a.server.close(0);
    expect((await raw.send(b, "POST", request(1, "ping"))).status).toBe(200);
  });

  test("sessions that are unknown, malformed or very long are not found", async () => {
    const [a] = await startNodes(newBackplane);
    const raw = new Raw();
    for (const id of [crypto.randomUUID(), "x", "x".repeat(5_000), "session:1"]) {
      raw.id = id;
      expect((await raw.send(a, "POST", request(1, "ping"))).status).toBe(404);
    }
  });

  test("the stream of a call is resumed at another node, where its later messages arrive once and in order", async () => {
    const [a, b, c] = await startNodes(newBackplane);
    const raw = await new Raw().open(a);
    const events = eventsOf(await raw.send(a, "POST", request(7, "tools/call", { name: "hold", arguments: {} })));
    const first = await nextMessage(events);
    expect(first.data).toContain("first");
    await events.return(undefined);
    const resumed = eventsOf(await raw.send(b, "GET", undefined, { "last-event-id": first.id }));
    a.state.release();
    const last = await nextMessage(resumed);
    expect(last.data).toContain("last");
    expect(JSON.parse((await nextMessage(resumed)).data)).toMatchObject({ id: 7, result: {} });
    expect((await resumed.next()).done).toBe(true);
    // Everything is there for one more reader, at a node that has not had the session before.
    const again = eventsOf(await raw.send(c, "GET", undefined, { "last-event-id": last.id }));
    expect(JSON.parse((await nextMessage(again)).data)).toMatchObject({ id: 7 });
    expect((await again.next()).done).toBe(true);
  });

  test("a GET stream is resumed at another node, with the messages sent meanwhile", async () => {
    const [a, b, c] = await startNodes(newBackplane);
    const raw = await new Raw().open(a, b);
    const events = eventsOf(await raw.send(c, "GET"));
    const say = (node: Node, data: string): void => {
      for (const one of node.server.server.connections)
        one.notifyInBackground("notifications/message", { level: "info", data });
    };
    say(a, "one");
    const one = await nextMessage(events);
    expect(one.data).toContain('"one"');
    await events.return(undefined);
    say(b, "two");
    b.server.sendToolListChanged();
    const resumed = eventsOf(await raw.send(b, "GET", undefined, { "last-event-id": one.id }));
    const more = [await nextMessage(resumed), await nextMessage(resumed)].map(({ data }) => data).sort();
    expect(more[0]).toContain("two");
    expect(more[1]).toContain("notifications/tools/list_changed");
    say(c, "three");
    expect((await nextMessage(resumed)).data).toContain("three");
    expect((await raw.send(a, "GET", undefined, { "last-event-id": "nonsense" })).status).toBe(400);
  });

  test("messages go to the newest GET stream, and back to an older one when it ends", async () => {
    const [a, b, c] = await startNodes(newBackplane);
    const raw = await new Raw("2025-06-18").open(a);
    const older = eventsOf(await raw.send(b, "GET"));
    const newer = eventsOf(await raw.send(c, "GET"));
    a.server.sendToolListChanged();
    expect((await nextMessage(newer)).data).toContain("tools/list_changed");
    await newer.return(undefined);
    a.server.sendResourceListChanged();
    expect((await nextMessage(older)).data).toContain("resources/list_changed");
  });
}

function isListening({ transport }: { readonly transport: object }): boolean {
  return (transport as { isBusy?: boolean }).isBusy === true;
}
