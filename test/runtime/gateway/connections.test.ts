/** How a gateway opens connections to servers, and what it keeps open. */
import { expect, onTestFinished, test } from "vitest";
import { createGateway } from "../../../runtime/src/gateway.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { clientOf } from "../api/pair.js";
import { everything } from "./everything.js";

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
  onTestFinished(() => gateway.close(0));
  for (let session = 0; session < 3; session++) {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await gateway.connect(serverEnd);
    const { client } = clientOf("2025-11-25");
    await client.connect(clientEnd);
    await client.listTools();
    onTestFinished(() => client.close());
  }
  expect(opened).toEqual(["server/discover", "initialize", "initialize"]);
});

test("the end of a client's subscription ends that at the server", async () => {
  const { server } = everything("2025-11-25");
  const gateway = createGateway({ servers: { up: { server } } });
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await gateway.connect(serverEnd);
  const { client } = clientOf("2025-11-25");
  await client.connect(clientEnd);
  onTestFinished(async () => {
    await client.close();
    await gateway.close(0);
  });
  const subscribed = (): number[] =>
    [...server.server.connections].map(({ session }) => session?.subscriptions.size ?? 0);
  const listener = (): void => undefined;
  await client.subscribeResource({ uri: "test://one" }, listener);
  await client.subscribeResource({ uri: "test://items/1" }, listener);
  expect(subscribed()).toEqual([2]);
  await client.unsubscribeResource({ uri: "test://one" });
  await expect.poll(subscribed).toEqual([1]);
});
