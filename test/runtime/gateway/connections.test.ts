/** How a gateway opens connections to servers, and what it keeps open. */
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { SSEClientTransport } from "../../../runtime/src/client/http.js";
import { createGateway, type GatewayServer } from "../../../runtime/src/gateway.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { clientOf, settled } from "../api/pair.js";
import { everything } from "./everything.js";
import { fetchOf, httpTransport } from "./http.js";
import { endOf, join } from "./in-memory.js";
import { rawServer } from "./raw-server.js";

test("the era of a server is found out once", async () => {
  const { server } = everything("2025-11-25");
  const opened: (string | undefined)[] = [];
  const transport = async (): Promise<InMemoryTransport> => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await server.connect(serverEnd);
    const send = clientEnd.send.bind(clientEnd);
    let isFirst = true;
    clientEnd.send = (message, ...rest) => {
      if (isFirst) opened.push((message as { method?: string }).method);
      isFirst = false;
      return send(message, ...rest);
    };
    return clientEnd;
  };
  const gateway = createGateway({ servers: { up: { transport } } });
  for (let session = 0; session < 3; session++) {
    const { client } = clientOf("2025-11-25");
    await join(gateway, client);
    await client.listTools();
  }
  expect(opened).toEqual(["server/discover", "initialize", "initialize"]);
});

test.each(["2024-11-05", "2025-11-25"] as const)(
  "questions that a server asks at the end of a call, and after it, reach a client of %s",
  async (revision) => {
    const { server } = everything("2025-11-25");
    const answers: unknown[] = [];
    server.registerTool("start", { inputSchema: z.object({ turns: z.number() }) }, ({ turns }, { connection }) => {
      const ask = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        const answer = connection.request("roots/list", {});
        answers.push(await answer.catch((error: unknown) => (error as Error).message));
      };
      void ask();
      return { content: [{ type: "text", text: "started" }] };
    });
    const gateway = createGateway({ servers: { up: { server } } });
    const { client } = clientOf(revision, { capabilities: { roots: {} } });
    client.addRoot({ uri: "file:///home" });
    const { fetch } = fetchOf(gateway);
    await client.connect(
      revision === "2024-11-05" ? new SSEClientTransport("http://localhost/mcp", { fetch }) : httpTransport(fetch),
    );
    onTestFinished(async () => {
      await client.close();
      await gateway.close(0);
    });
    const turns = Array.from({ length: 40 }, (_, index) => index);
    for (const one of turns) await client.callTool({ name: "up_start", arguments: { turns: one } });
    await expect.poll(() => answers).toEqual(turns.map(() => ({ roots: [{ uri: "file:///home" }] })));
  },
);

test("the end of a client's subscription ends that at the server", async () => {
  const { server } = everything("2025-11-25");
  const gateway = createGateway({ servers: { up: { server } } });
  const { client } = clientOf("2025-11-25");
  await join(gateway, client);
  const subscribed = (): number[] =>
    [...server.server.connections].map(({ session }) => session?.subscriptions.size ?? 0);
  const listener = (): void => undefined;
  await client.subscribeResource({ uri: "test://one" }, listener);
  await client.subscribeResource({ uri: "test://items/1" }, listener);
  expect(subscribed()).toEqual([2]);
  await client.unsubscribeResource({ uri: "test://one" });
  await expect.poll(subscribed).toEqual([1]);
});

test("a shared connection is closed after a client that has left without ending its subscription", async () => {
  const { server } = everything("2026-07-28");
  const gateway = createGateway({ servers: { up: { server, idleMs: 1 } } });
  const subscriber = clientOf("2025-11-25").client;
  await join(gateway, clientOf("2025-11-25").client);
  await subscriber.connect(await endOf(gateway));
  await subscriber.subscribeResource({ uri: "test://one" }, () => undefined);
  expect(gateway.servers[0]?.connections).toBe(1);
  await subscriber.close();
  await expect.poll(() => gateway.servers[0]?.connections, { timeout: 20_000 }).toBe(0);
}, 30_000);

test("a subscription that was granted stays while the client's request still waits for another", async () => {
  const unsubscribed: unknown[] = [];
  let grant: (() => void) | undefined;
  let update: (() => void) | undefined;
  const serverOf = (uri: string, subscribe: (grant: () => void, update: () => void) => void): GatewayServer =>
    rawServer(
      (message, peer) => {
        const { method, params } = message;
        if (method === "resources/list") peer.respond(message, { resources: [{ name: uri, uri }] });
        if (method === "resources/templates/list") peer.respond(message, { resourceTemplates: [] });
        if (method === "resources/unsubscribe") unsubscribed.push(params);
        if (method === "resources/unsubscribe") peer.respond(message, {});
        if (method === "resources/subscribe")
          subscribe(
            () => peer.respond(message, {}),
            () => peer.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } }),
          );
      },
      { capabilities: { resources: { subscribe: true } }, isolation: "shared" },
    );
  const gateway = createGateway({
    servers: {
      fast: serverOf("test://a", (granted, updated) => {
        granted();
        update = updated;
      }),
      slow: serverOf("test://b", (granted) => (grant = granted)),
    },
  });
  const { client } = clientOf("2026-07-28");
  await join(gateway, client);
  const uris = ["test://a", "test://b"];
  const stream = client.connection.listen("subscriptions/listen", { notifications: { resourceSubscriptions: uris } });
  await expect.poll(() => grant).toBeDefined();
  await expect.poll(() => update).toBeDefined();
  await settled();
  update?.();
  await settled();
  grant?.();
  expect(await stream.acknowledged).toMatchObject({ notifications: { resourceSubscriptions: uris } });
  expect(unsubscribed).toEqual([]);
  update?.();
  const event = await stream[Symbol.asyncIterator]().next();
  expect(event.value).toMatchObject({ method: "notifications/resources/updated", params: { uri: "test://a" } });
  await stream.close();
});
