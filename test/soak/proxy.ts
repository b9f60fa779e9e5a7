import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Larger chunks are not split into single bytes, which would take too long. */
const mostSingleBytes = 400;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A TCP proxy on the loopback interface, whose address stays when the server's changes. */
export class Proxy {
  readonly #pairs = new Set<Pair>();
  readonly #listener: Server;
  /** Delay of all data, in milliseconds. */
  delayMs = 0;
  /** Whether all data is forwarded byte by byte. */
  trickles = false;
  /** Whether new connections are closed at once. */
  refuses = false;

  /** @param target returns the current port of the server; undefined while no server runs */
  constructor(readonly target: () => number | undefined) {
    this.#listener = createServer((client) => this.#accept(client));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#listener.listen(0, "127.0.0.1", resolve));
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Stops all data until the returned function is called. */
  stall(): () => void {
    const sockets = [...this.#pairs].flatMap(({ client, server }) => [client, server]);
    for (const socket of sockets) socket.pause();
    return () => {
      for (const socket of sockets) socket.resume();
    };
  }

  /** Ends all connections, gracefully or not. */
  cut(abruptly: boolean): void {
    for (const { client, server } of this.#pairs)
      for (const socket of [client, server]) {
        if (abruptly) socket.resetAndDestroy();
        else socket.destroy();
      }
  }

  get connections(): number {
    return this.#pairs.size;
  }

  close(): void {
    this.cut(false);
    this.#listener.close();
  }

  #accept(client: Socket): void {
    const port = this.target();
    client.on("error", () => undefined);
    if (port === undefined || this.refuses) {
      client.destroy();
      return;
    }
    const server = connect(port, "127.0.0.1");
    server.on("error", () => undefined);
    const pair = { client, server };
    this.#pairs.add(pair);
    this.#join(client, server);
    this.#join(server, client);
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", () => setTimeout(end, this.delayMs));
  }

  #join(from: Socket, to: Socket): void {
    from.setNoDelay(true);
    let order = Promise.resolve();
    const later = (write: () => void): void => {
      const { delayMs } = this;
      order = order
        .then(() => (delayMs > 0 ? new Promise<void>((resolve) => setTimeout(resolve, delayMs)) : undefined))
        .then(write);
    };
    from.on("data", (chunk: Buffer) =>
      later(() => {
        if (to.destroyed) return;
        const single = this.trickles ? Math.min(chunk.length, mostSingleBytes) : 0;
        for (let at = 0; at < single; at++) to.write(chunk.subarray(at, at + 1));
        if (single < chunk.length && !to.write(chunk.subarray(single))) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      }),
    );
    from.on("end", () => later(() => to.end()));
  }
}
