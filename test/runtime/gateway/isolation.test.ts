/** Which clients share a connection to a server, and how long connections last. */
import { expect, onTestFinished, test } from "vitest";
import type { Client, ClientOptions } from "../../../runtime/src/client.js";
import { createGateway, type Gateway, type GatewayOptions, type GatewayServer } from "../../../runtime/src/gateway.js";
import { clientOf, type Revision, settled } from "../api/pair.js";
import { everything, type Everything } from "./everything.js";
import { fetchOf, httpTransport } from "./http.js";
import { join } from "./in-memory.js";

const open = ({ server }: Everything): number => server.server.connections.size;

function gatewayTo(up: Everything, options: GatewayServer = {}, more: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createGateway({ servers: { up: { server: up.server, ...options } }, ...more });
  onTestFinished(async () => {
    await gateway.close(0);
    await up.server.close(0);
  });
  return gateway;
}

async function clientInMemory(gateway: Gateway, revision: Revision, options: ClientOptions = {}): Promise<Client> {
  const { client } = clientOf(revision, options);
  await join(gateway, client);
  return client;
}

async function clientOverHttp(
  { fetch }: ReturnType<typeof fetchOf>,
  revision: Revision,
  options: ClientOptions = {},
): Promise<Client> {
  const { client } = clientOf(revision, options);
  await client.connect(httpTransport(fetch));
  onTestFinished(() => client.close());
  return client;
}

const add = { name: "up_add", arguments: { a: 1, b: 1 } };

/** A client whose user answers the form with a name. */
function answering(client: Client, name: string): void {
  client.setRequestHandler("elicitation/create", async () => {
    await settled();
    return { action: "accept", content: { city: name } };
  });
}

test("nothing is started before a client needs it", async () => {
  const up = everything("2025-11-25");
  const gateway = gatewayTo(up);
  expect(gateway.servers).toMatchObject([{ state: "idle", connections: 0, revision: undefined }]);
  const client = await clientInMemory(gateway, "2025-11-25");
  await client.ping();
  expect(open(up)).toBe(0);
  await client.callTool(add);
  expect(open(up)).toBe(1);
  expect(gateway.servers).toMatchObject([{ state: "connected", connections: 1 }]);
});

test("sessions have connections of their own to a server of the handshake era, which end with them", async () => {
  const up = everything("2025-11-25");
  const gateway = gatewayTo(up);
  const clients = await Promise.all([1, 2, 3].map(() => clientInMemory(gateway, "2025-11-25")));
  await Promise.all(clients.map((client) => client.callTool(add)));
  await Promise.all(clients.map((client) => client.callTool(add)));
  expect(open(up)).toBe(3);
  await clients[0]?.close();
  await expect.poll(() => open(up)).toBe(2);
});

test("sessions over HTTP, too", async () => {
  const up = everything("2025-11-25");
  const served = fetchOf(gatewayTo(up));
  const clients = await Promise.all([1, 2].map(() => clientOverHttp(served, "2025-11-25")));
  await Promise.all(clients.map((client) => client.callTool(add)));
  expect(open(up)).toBe(2);
  await clients[0]?.close();
  await expect.poll(() => open(up)).toBe(1);
});

test("all clients share the connection to a server of the stateless era", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up);
  const clients = await Promise.all([1, 2, 3].map(() => clientInMemory(gateway, "2025-11-25")));
  await Promise.all(clients.map((client) => client.callTool(add)));
  expect(open(up)).toBe(1);
  await clients[0]?.close();
  await settled();
  expect(open(up)).toBe(1);
});

test("clients with other capabilities have another connection", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up);
  const plain = await clientInMemory(gateway, "2026-07-28");
  const asked = await clientInMemory(gateway, "2026-07-28", { capabilities: { elicitation: {} } });
  await Promise.all([plain.callTool(add), asked.callTool(add)]);
  expect(open(up)).toBe(2);
});

test("isolation: shared lets all sessions share, and the server cannot ask", async () => {
  const up = everything("2025-11-25");
  const gateway = gatewayTo(up, { isolation: "shared" });
  const options = { capabilities: { elicitation: {} } };
  const clients = await Promise.all([1, 2].map(() => clientInMemory(gateway, "2025-11-25", options)));
  await Promise.all(clients.map((client) => client.callTool(add)));
  expect(open(up)).toBe(1);
  const refused = await clients[0]?.callTool({ name: "up_ask" });
  expect(refused).toMatchObject({ isError: true });
});

test("isolation: session gives each client of a stateless server a connection", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up, { isolation: "session" });
  const clients = await Promise.all([1, 2].map(() => clientInMemory(gateway, "2026-07-28")));
  await Promise.all(clients.map((client) => client.callTool(add)));
  expect(open(up)).toBe(2);
});

test("clients without a session borrow connections, so that questions reach the client that called", async () => {
  const up = everything("2025-11-25");
  const served = fetchOf(gatewayTo(up));
  const names = ["Ada", "Bo", "Cy", "Di"];
  const clients = await Promise.all(
    names.map(async (name) => {
      const client = await clientOverHttp(served, "2026-07-28", { capabilities: { elicitation: {} } });
      answering(client, name);
      return client;
    }),
  );
  for (let round = 0; round < 3; round++) {
    const results = await Promise.all(clients.map((client) => client.callTool({ name: "up_ask" })));
    expect(results.map(({ content }) => content)).toEqual(
      names.map((name) => [{ type: "text", text: `accept {"city":"${name}"}` }]),
    );
  }
  // One for lists, and at most one for each call at the same time.
  expect(open(up)).toBeLessThanOrEqual(5);
});

test("questions of many calls in one session are answered by its client", async () => {
  const up = everything("2025-11-25");
  const gateway = gatewayTo(up);
  const clients = await Promise.all(
    ["Ada", "Bo"].map(async (name) => {
      const client = await clientInMemory(gateway, "2026-07-28", { capabilities: { elicitation: {} } });
      answering(client, name);
      return client;
    }),
  );
  const calls = clients.flatMap((client) => [1, 2, 3].map(() => client.callTool({ name: "up_ask" })));
  const texts = (await Promise.all(calls)).map(({ content }) => (content[0] as { text: string }).text);
  expect(texts).toEqual([
    ...Array.from({ length: 3 }, () => 'accept {"city":"Ada"}'),
    ...Array.from({ length: 3 }, () => 'accept {"city":"Bo"}'),
  ]);
  expect(open(up)).toBe(2);
});

test("log messages reach only the client whose request they belong to", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up);
  const clients = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = await clientInMemory(gateway, "2025-11-25");
      const logs: unknown[] = [];
      client.setNotificationHandler("notifications/message", (message) => logs.push(message));
      await client.setLoggingLevel("info");
      return { client, logs };
    }),
  );
  await clients[0]?.client.listTools();
  await Promise.all(clients.map(({ client }) => client.callTool({ name: "up_talk" })));
  await settled();
  expect(clients.map(({ logs }) => logs.length)).toEqual([1, 1, 1]);
});

test("an unused connection is closed, and opened again when it is needed", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up, { idleMs: 50 });
  const client = await clientInMemory(gateway, "2026-07-28");
  await client.callTool(add);
  await expect.poll(() => open(up), { timeout: 5_000 }).toBe(0);
  expect(gateway.servers).toMatchObject([{ state: "idle", connections: 0 }]);
  expect(await client.callTool(add)).toMatchObject({ structuredContent: { sum: 2 } });
});

test("a subscription keeps its connection", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up, { idleMs: 50 });
  const client = await clientInMemory(gateway, "2025-11-25");
  const updates: string[] = [];
  await client.subscribeResource({ uri: "test://one" }, (uri) => updates.push(uri));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(open(up)).toBe(1);
  up.server.server.notifyChanged({ kind: "resources", uri: "test://one" });
  await expect.poll(() => updates).toEqual(["test://one"]);
});

test("close ends the connections on both sides", async () => {
  const up = everything("2025-11-25");
  const gateway = gatewayTo(up);
  const client = await clientInMemory(gateway, "2025-11-25");
  await client.callTool(add);
  await gateway.close();
  await expect.poll(() => open(up)).toBe(0);
  await expect(client.callTool(add)).rejects.toThrow();
});

test("a server is notified of changed roots of its client, and asks for them outside of requests", async () => {
  const up = everything("2025-11-25");
  const listed: string[][] = [];
  up.server.server.handle({
    "notifications/roots/list_changed": async (_params, { connection }) => {
      const { roots } = (await connection.request("roots/list", undefined)) as { roots: { uri: string }[] };
      listed.push(roots.map(({ uri }) => uri));
    },
  });
  const gateway = gatewayTo(up);
  const client = await clientInMemory(gateway, "2025-06-18", { capabilities: { roots: { listChanged: true } } });
  await client.callTool(add);
  client.addRoot({ uri: "file:///home/ada" });
  await expect.poll(() => listed).toEqual([["file:///home/ada"]]);
});

test("a subscription at a shared server ends when no client wants it any more", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up);
  const [first, second] = await Promise.all([1, 2].map(() => clientInMemory(gateway, "2025-11-25")));
  const updates: string[] = [];
  await first?.subscribeResource({ uri: "test://one" }, () => updates.push("first"));
  await second?.subscribeResource({ uri: "test://one" }, () => updates.push("second"));
  const streams = (): number => [...up.server.server.connections].reduce((sum, one) => sum + one.subscriptionCount, 0);
  expect(streams()).toBeGreaterThan(0);
  await first?.unsubscribeResource({ uri: "test://one" });
  up.server.server.notifyChanged({ kind: "resources", uri: "test://one" });
  await expect.poll(() => updates).toEqual(["second"]);
  await second?.unsubscribeResource({ uri: "test://one" });
  const wanted = (): string[] =>
    [...up.server.server.connections].flatMap(({ subscriptionStreams }) =>
      [...subscriptionStreams].flatMap(({ filter }) => filter.resourceSubscriptions ?? []),
    );
  // The next change shows that it is not wanted.
  up.server.server.notifyChanged({ kind: "resources", uri: "test://one" });
  await expect.poll(wanted).toEqual([]);
  expect(updates).toEqual(["second"]);
});

test("the connections to servers end with the last client, which would keep a process alive", async () => {
  const up = everything("2026-07-28");
  const gateway = gatewayTo(up);
  const [first, second] = await Promise.all([1, 2].map(() => clientInMemory(gateway, "2026-07-28")));
  await first?.callTool(add);
  await first?.close();
  await settled();
  expect(open(up)).toBe(1);
  await second?.close();
  await expect.poll(() => open(up)).toBe(0);
});
