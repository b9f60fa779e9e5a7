import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { CommandReader } from "./command-reader.js";

/** Milliseconds without a further command after which the commands of a round trip are complete. */
const quietMs = 20;

/** Passes bytes between nodes and Redis on, and counts the commands. */
export class Relay {
  /** The names of the commands so far. */
  readonly commands: string[] = [];
  /** Round trips since `holdRoundTrips` was called. */
  roundTrips = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #holds = false;
  #held: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(redisPort: number) {
    this.#server = createServer({ noDelay: true }, (node) => this.#join(node, redisPort));
  }

  static async start(redisPort: number): Promise<Relay> {
    const relay = new Relay(redisPort);
    await once(relay.#server.listen(0, "127.0.0.1"), "listening");
    return relay;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Holds commands back until no more arrive, and passes them on together, as one round trip: the nodes have sent what does not depend on
   * a reply that is still missing.
   */
  holdRoundTrips(): void {
    this.#holds = true;
    this.roundTrips = 0;
  }

  passOn(): void {
    this.#holds = false;
    this.#release();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(node: Socket, redisPort: number): void {
    const redis = connect({ port: redisPort, host: "127.0.0.1", noDelay: true });
    const reader = new CommandReader();
    node.on("data", (chunk) => {
      this.commands.push(...reader.read(chunk));
      if (!this.#holds) redis.write(chunk);
      else this.#hold(() => redis.write(chunk));
    });
    redis.on("data", (chunk) => node.write(chunk));
    for (const [socket, other] of [
      [node, redis],
      [redis, node],
    ] as const) {
      this.#sockets.add(socket);
      // A node that is killed resets its connections.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }

  #hold(send: () => void): void {
    this.#held.push(send);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#release(), quietMs);
  }

  #release(): void {
    clearTimeout(this.#timer);
    const held = this.#held.splice(0);
    if (held.length > 0) this.roundTrips++;
    for (const send of held) send();
  }
}
