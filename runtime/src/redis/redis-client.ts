import { SdkError } from "../jsonrpc/errors.js";

/** A client, or a cluster, that `createClient` or `createCluster` of the package `redis` returned. */
export interface NodeRedis {
  readonly isReady?: boolean;
  // Their parameters differ between clients, clusters and versions.
  sendCommand(...given: never[]): Promise<unknown>;
  on(...given: never[]): unknown;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  duplicate(): NodeRedis;
  connect(): Promise<unknown>;
  destroy(): void;
}

/** A `Redis` or `Cluster` of the package `ioredis`. */
export interface IoRedis {
  call(command: string, args: (string | number)[]): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  duplicate(): IoRedis;
  on(...given: never[]): unknown;
  disconnect(): void;
}

/** The calls that are needed of a client. */
export interface RedisConnection {
  /** Where Redis is, without user and password; undefined for a cluster. */
  readonly address: string | undefined;
  /**
   * Sends a command.
   * @param key the key that the command is about, for clusters
   * @param timeoutMs milliseconds after which the caller no longer waits: a command that could not be sent until then is dropped, where
   *   the client can do that
   */
  send(key: string | undefined, command: readonly string[], timeoutMs: number): Promise<unknown>;
  /** Opens a second connection, for subscriptions. */
  openSubscriber(on: SubscriberEvents): Promise<RedisSubscriber>;
}

export interface SubscriberEvents {
  readonly onMessage: (channel: string, text: string) => void;
  /** Called when the connection may have been interrupted. */
  readonly onInterruption: () => void;
}

/** A connection that receives messages. The client connects again, and subscribes again, by itself. */
export interface RedisSubscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** The events after which messages may have been lost, of all clients. Without a listener, `error` would end the process. */
const interruptions = [
  "error",
  "ready",
  "end",
  "close",
  "reconnecting",
  "node-ready",
  "node-disconnect",
  "node-reconnecting",
  "+node",
  "-node",
];

/** @throws SdkError `INVALID_CONFIGURATION` when the object is not a client */
export function toConnection(client: NodeRedis | IoRedis): RedisConnection {
  if (hasMethods<IoRedis>(client, ["call", "duplicate", "subscribe"])) return new IoRedisConnection(client);
  if (hasMethods<NodeRedis>(client, ["sendCommand", "duplicate", "subscribe"])) return new NodeRedisConnection(client);
  throw new SdkError(
    "INVALID_CONFIGURATION",
    "pass a client of the package redis (createClient, createCluster) or ioredis",
  );
}

function hasMethods<Client>(client: object, names: readonly (keyof Client & string)[]): client is Client & object {
  return names.every((name) => typeof (Object(client) as Record<string, unknown>)[name] === "function");
}

function listen(
  client: NodeRedis | IoRedis,
  events: readonly string[],
  listener: (channel: string, text: string) => void,
): void {
  const on = client.on.bind(client) as (event: string, listener: (channel: string, text: string) => void) => unknown;
  for (const event of events) on(event, listener);
}

interface Address {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
}

interface WithSocket {
  readonly socket?: Address;
}

function addressOf({ host = "localhost", port = 6379, path }: Address = {}): string {
  return path ?? `${host}:${port}`;
}

/** The most commands at a time that the client sends without a time limit. */
const maxUnlimited = 1_000;

class NodeRedisConnection implements RedisConnection {
  readonly address: string | undefined;
  readonly #isCluster: boolean;
  /** The number of commands without a reply. */
  #waiting = 0;

  constructor(readonly client: NodeRedis) {
    this.#isCluster = "slots" in client;
    this.address = this.#isCluster ? undefined : addressOf((client as { options?: WithSocket }).options?.socket);
  }

  send(key: string | undefined, command: readonly string[], timeoutMs: number): Promise<unknown> {
    const sendCommand = this.client.sendCommand.bind(this.client) as (...given: unknown[]) => Promise<unknown>;
    // A time limit, which is the client's default, costs more than a command. It keeps the client's queue short when Redis is away or slow.
    const isFlowing = this.client.isReady === true && this.#waiting < maxUnlimited;
    const options = { timeout: isFlowing ? 0 : timeoutMs };
    const reply = this.#isCluster ? sendCommand(key, false, command, options) : sendCommand(command, options);
    const onReply = (): void => {
      this.#waiting--;
    };
    this.#waiting++;
    reply.then(onReply, onReply);
    return reply;
  }

  async openSubscriber({ onMessage, onInterruption }: SubscriberEvents): Promise<RedisSubscriber> {
    const client = this.client.duplicate();
    listen(client, interruptions, onInterruption);
    await client.connect();
    return {
      subscribe: (channel) => client.subscribe(channel, (text) => onMessage(channel, text)),
      unsubscribe: (channel) => client.unsubscribe(channel),
      close: () => client.destroy(),
    };
  }
}

class IoRedisConnection implements RedisConnection {
  readonly address: string | undefined;

  constructor(readonly client: IoRedis) {
    this.address = "startupNodes" in client ? undefined : addressOf((client as { options?: Address }).options);
  }

  send(_key: string | undefined, [name = "", ...args]: readonly string[]): Promise<unknown> {
    return this.client.call(name, args);
  }

  openSubscriber({ onMessage, onInterruption }: SubscriberEvents): Promise<RedisSubscriber> {
    const client = this.client.duplicate();
    listen(client, interruptions, onInterruption);
    listen(client, ["message"], onMessage);
    return Promise.resolve({
      subscribe: (channel) => client.subscribe(channel),
      unsubscribe: (channel) => client.unsubscribe(channel),
      close: () => client.disconnect(),
    });
  }
}
