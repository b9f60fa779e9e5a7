/** Connections within this process. */
import { onTestFinished } from "vitest";
import type { Client } from "../../../runtime/src/client.js";
import type { Gateway, MountableServer } from "../../../runtime/src/gateway.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";

/** The client's end of a new connection to a server, or to a gateway. */
export async function endOf(server: MountableServer): Promise<InMemoryTransport> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  return clientEnd;
}

/** Connects a client to a gateway until the test has finished, which closes both. */
export async function join(gateway: Gateway, client: Client): Promise<Client> {
  await client.connect(await endOf(gateway));
  onTestFinished(async () => {
    await client.close();
    await gateway.close(0);
  });
  return client;
}
