import { expect, onTestFinished, test } from "vitest";
import { InMemoryTransport } from "../../runtime/src/transport/in-memory.js";
import { runConversation, type Step } from "../../runtime/src/testing.js";
import { child, stdio } from "./transports.js";
import { recordedClient } from "./client.js";
import { handshake, R4, stateless, text } from "./messages.js";
import { workshop } from "./servers/workshop.js";

const nap = { name: "nap", arguments: { ms: 150 } };
const subscriptionId = "io.modelcontextprotocol/subscriptionId";
const listen = (id: unknown): Step[] => [
  { "->": stateless(id, "subscriptions/listen", { notifications: { toolsListChanged: true } }) },
  { "<-": { method: "notifications/subscriptions/acknowledged" } },
];
const ended = (id: unknown): object => ({ id, result: { resultType: "complete", _meta: { [subscriptionId]: id } } });

/** The streams and calls that are open when the server stops, and how each of them ends. */
const underWay: readonly Step[] = [
  ...handshake(R4),
  ...listen(1),
  ...listen("1"),
  { "->": stateless(2, "tools/call", nap) },
  { "->": { id: 3, method: "tools/call", params: nap } },
];
const endings: readonly Step[] = [
  { unordered: [ended(1), ended("1")] },
  { "->": stateless("late", "tools/call", { name: "count" }) },
  { "<-": { id: "late", error: { code: -32603, message: "The server is shutting down" } } },
  {
    unordered: [
      { id: 2, result: text("rested") },
      { id: 3, result: text("rested") },
    ],
  },
  {
    unordered: [1, "1"].map((requestId) => ({ method: "notifications/cancelled", params: { requestId } })),
  },
];

test("in memory, a closing server waits for running calls, but not for the whole grace period", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = workshop({});
  await server.connect(far);
  let closed: Promise<void> | undefined;
  await runConversation(
    {
      name: "close",
      steps: [
        ...underWay,
        { do: () => void (closed = server.close(20_000)) },
        ...endings,
        { do: (peer) => peer.closed },
        { do: () => closed },
      ],
    },
    near,
  );
});

test.each(["SIGTERM", "SIGINT"] as const)("on stdio, %s shuts a server down gracefully", async (signal) => {
  const transport = child({}, "serve", "workshop");
  await runConversation(
    {
      name: signal,
      steps: [
        ...underWay,
        // The response proves that the server has read all previous messages.
        { "->": stateless("read", "tools/call", { name: "count" }) },
        { "<-": { id: "read" } },
        { do: () => process.kill(transport.pid ?? 0, signal) },
        ...endings,
        {
          do: async (peer) =>
            expect(await peer.closed).toMatchObject({ code: "CONNECTION_CLOSED", data: { exitCode: 0, signal: null } }),
        },
      ],
    },
    transport,
  );
});

test("a handler that never ends is aborted after the grace period", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = workshop({});
  await server.connect(far);
  onTestFinished(() => server.close(0));
  await runConversation(
    {
      name: "grace",
      steps: [
        { "->": stateless(1, "tools/call", { name: "hold", arguments: { name: "a" } }) },
        { silence: 10 },
        { do: () => void server.close(50) },
        { do: (peer) => peer.closed },
      ],
    },
    near,
  );
  const [again, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  const trail = stateless(1, "tools/call", { name: "trail" });
  await runConversation({ name: "trail", steps: [{ "->": trail }, { "<-": { result: text("a aborted") } }] }, again);
});

test("a client reports that its server was killed", async () => {
  const ends: (Error | undefined)[] = [];
  const { client } = recordedClient({ onclose: (error) => void ends.push(error) });
  const transport = child({}, "serve", "workshop");
  await client.connect(transport);
  let changes = 0;
  client.onChanged("tools", () => changes++);
  const calling = client.callTool({ name: "nap", arguments: { ms: 60_000 } });
  await client.callTool({ name: "count" });
  process.kill(transport.pid ?? 0, "SIGKILL");
  await expect(calling).rejects.toMatchObject({ code: "CONNECTION_CLOSED", cause: { data: { signal: "SIGKILL" } } });
  expect(ends).toMatchObject([{ data: { signal: "SIGKILL" } }]);
  await expect(client.callTool({ name: "count" })).rejects.toMatchObject({ code: "NOT_CONNECTED" });

  // The same client can connect again, and receives changes as before.
  await client.connect(await stdio.server("desk"), { era: "stateless" });
  await client.callTool({ name: "change-list" });
  await expect.poll(() => changes).toBe(1);
});
