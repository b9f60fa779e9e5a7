/** Connections within this process. */
import { onTestFinished } from "vitest";
import type { Client } from "../../../runtime/src/client.js";
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type MountableServer,
} from "../../../runtime/src/gateway.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { clientOf, type Revision } from "../api/pair.js";

/** The client's end of a new connection to a server, or to a gateway. */
export async function endOf(server: MountableServer): Promise<InMemoryTransport> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  return clientEnd;
}

/** A client of a gateway, and what the gateway reported. */
export async function connectTo(
  options: GatewayOptions,
  revision: Revision = "2026-07-28",
): Promise<{ client: Client; gateway: Gateway; problems: Error[] }> {
  const problems: Error[] = [];
  const gateway = createGateway({ onerror: (error) => problems.push(error), ...options });
  const { client } = clientOf(revision);
  await join(gateway, client);
  return { client, gateway, problems };
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
