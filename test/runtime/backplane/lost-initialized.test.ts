/** Sessions whose record does not say that the client has sent `notifications/initialized`: a failover has lost it, or it is on its way. */
import { expect, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { initialize, notification, request } from "../http-server/messages.js";
import { eventsOf, nextMessage, type Node, Raw, startNodes } from "./session-nodes.js";

const greet = request(1, "tools/call", { name: "greet", arguments: {} });
const ping = request(1, "ping");

/** A session at node `a` that the client has initialized, unless `isInitialized` is false; the backplane has lost what `a` wrote then. */
async function loseInitialized({ isInitialized = true, revision = "2025-11-25" } = {}) {
  const backplane = new MemoryBackplane();
  const nodes = await startNodes(() => backplane);
  const raw = new Raw(revision);
  const opening = await raw.send(nodes[0], "POST", initialize(revision, { elicitation: {}, sampling: {} }));
  raw.id = opening.headers.get("mcp-session-id") ?? "";
  const key = `session:${raw.id}`;
  const { text = "" } = backplane.get(key) ?? {};
  if (isInitialized)
    expect((await raw.send(nodes[0], "POST", notification("notifications/initialized"))).status).toBe(202);
  backplane.set(key, text, { ttlMs: 60_000 });
  const isRecorded = (): boolean =>
    (JSON.parse(backplane.get(key)?.text ?? "{}") as { initialized: boolean }).initialized;
  expect(isRecorded()).toBe(false);
  return { nodes, raw, isRecorded };
}

const messageOf = async (answer: Response): Promise<{ readonly method?: string }> =>
  JSON.parse((await nextMessage(eventsOf(answer))).data) as { method?: string };

test("a node that does not know it asks the client in its next request, and writes it again", async () => {
  const { nodes, raw, isRecorded } = await loseInitialized();
  const [, b, c] = nodes;
  expect(await messageOf(await raw.send(b, "POST", greet))).toMatchObject({ method: "elicitation/create" });
  await vi.waitFor(() => expect(isRecorded()).toBe(true));
  const events = eventsOf(await raw.send(c, "GET"));
  b.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
  expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
});

test("the node that knows it writes it again with the next message, also a ping", async () => {
  const { nodes, raw, isRecorded } = await loseInitialized();
  const [a, b] = nodes;
  expect((await raw.send(a, "POST", ping)).status).toBe(200);
  await vi.waitFor(() => expect(isRecorded()).toBe(true));
  const events = eventsOf(await raw.send(b, "GET"));
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
});

test("a request that overtakes the notification is handled as after it", async () => {
  const { nodes, raw } = await loseInitialized({ isInitialized: false });
  const [a, b] = nodes;
  expect(await messageOf(await raw.send(b, "POST", greet))).toMatchObject({ method: "elicitation/create" });
  expect((await raw.send(a, "POST", notification("notifications/initialized"))).status).toBe(202);
  expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
});

test("a request in a batch counts, too", async () => {
  const { nodes, raw } = await loseInitialized({ revision: "2025-03-26" });
  const batch = [
    notification("notifications/progress", { progressToken: 1, progress: 1 }),
    { ...greet, params: { name: "sample", arguments: {} } },
  ];
  expect(await messageOf(await raw.send(nodes[1], "POST", batch))).toMatchObject({ method: "sampling/createMessage" });
});

test.each([
  ["a ping", ping, 200],
  ["a second initialize", initialize("2025-11-25"), 200],
  ["a notification", notification("notifications/roots/list_changed"), 202],
  ["a response", { jsonrpc: "2.0", id: "x", result: {} }, 202],
])("%s does not count", async (_, message, status) => {
  const { nodes, raw, isRecorded } = await loseInitialized({ isInitialized: false });
  const [a, b] = nodes;
  const isInitializedAt = ({ server }: Node): boolean[] =>
    [...server.server.connections].map(({ session }) => session?.initialized === true);
  expect((await raw.send(b, "POST", message)).status).toBe(status);
  expect((await raw.send(a, "POST", ping)).status).toBe(200);
  expect([isRecorded(), isInitializedAt(a), isInitializedAt(b)]).toEqual([false, [false], [false]]);
});
