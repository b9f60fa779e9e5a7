/** A relay to a server, which delays what it passes on. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Relay {
  readonly url: string;
  /** Milliseconds by which each part is delayed, in both directions. */
  latencyMs: number;
}

/** Starts a relay on a free port. It ends with the test. */
export async function startRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("data", (data) => setTimeout(() => to.write(data), relay.latencyMs));
    from.on("error", () => undefined).on("close", () => to.destroy());
  };
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    pass(client, target);
    pass(target, client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const relay: Relay = { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, latencyMs: 0 };
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return relay;
}
