import type { ChannelSubscriber } from "../backplane/backplane-store.js";
import { timerDelay, unref } from "../timing/timer-delay.js";
import type { RedisConnection, RedisSubscriber } from "./redis-client.js";

/** How often the connection is tested. */
const heartbeatMs = 5_000;

interface Subscription {
  readonly subscriber: ChannelSubscriber;
}

/** The subscriptions of one channel. */
interface Channel {
  readonly subscriptions: Set<Subscription>;
  /** Settles when Redis has accepted the subscription. */
  readonly ready: Promise<unknown>;
}

/**
 * The channels of a node, over one connection of their own. Clients reconnect by themselves and do not report reliably which messages were
 * lost meanwhile. Therefore the node sends numbered messages to itself: a number that is missing, or the first one after an interruption,
 * is a gap for all subscribers.
 */
export class RedisChannels {
  readonly #channels = new Map<string, Channel>();
  readonly #ownChannel: string;
  #opening: Promise<RedisSubscriber> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The numbers of the last own message that was sent, and that arrived. */
  #sent = 0;
  #arrived = 0;
  #isSending = false;
  #wasInterrupted = false;
  #isClosed = false;

  constructor(
    readonly connection: RedisConnection,
    readonly prefix: string,
    readonly onerror: (error: unknown) => void,
  ) {
    this.#ownChannel = `${prefix}node:${crypto.randomUUID()}`;
  }

  async subscribe(name: string, subscriber: ChannelSubscriber): Promise<() => void> {
    const subscription: Subscription = { subscriber };
    const channel = this.#channels.get(name) ?? this.#open(name);
    channel.subscriptions.add(subscription);
    const end = (): void => {
      if (channel.subscriptions.delete(subscription) && channel.subscriptions.size === 0) this.#leave(name, channel);
    };
    try {
      await channel.ready;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#channels.clear();
    this.#opening?.then((subscriber) => subscriber.close()).catch(() => undefined);
  }

  #open(name: string): Channel {
    const ready = this.#connected().then((subscriber) => subscriber.subscribe(name));
    const channel: Channel = { subscriptions: new Set(), ready };
    this.#channels.set(name, channel);
    return channel;
  }

  #leave(name: string, channel: Channel): void {
    if (this.#channels.get(name) !== channel) return;
    this.#channels.delete(name);
    channel.ready
      .then(() => this.#opening)
      .then((subscriber) => {
        // Another subscriber may have come in the meantime.
        if (!this.#channels.has(name) && !this.#isClosed) return subscriber?.unsubscribe(name);
      })
      .catch(() => undefined);
  }

  #connected(): Promise<RedisSubscriber> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<RedisSubscriber> {
    const subscriber = await this.connection.openSubscriber({
      onMessage: (name, text) => this.#receive(name, text),
      onInterruption: () => this.#interrupted(),
    });
    try {
      await subscriber.subscribe(this.#ownChannel);
    } catch (error) {
      // The next attempt opens another one.
      subscriber.close();
      throw error;
    }
    if (this.#isClosed) subscriber.close();
    else this.#timer = unref(setInterval(() => this.#beat(), timerDelay(heartbeatMs)));
    return subscriber;
  }

  /** Sends a numbered message to this node. */
  #beat(): void {
    // While Redis is away, one message waits to be sent.
    if (this.#isSending) return;
    this.#isSending = true;
    const number = String(++this.#sent);
    // A failure shows when the next one arrives.
    this.connection
      .send(undefined, ["PUBLISH", this.#ownChannel, number], heartbeatMs)
      .catch(() => undefined)
      .finally(() => (this.#isSending = false));
  }

  #interrupted(): void {
    if (this.#timer === undefined || this.#isClosed) return;
    this.#wasInterrupted = true;
    this.#beat();
  }

  #receive(name: string, text: string): void {
    if (name === this.#ownChannel) return this.#checkNumber(Number(text));
    this.#callAll(name, ({ subscriber }) => subscriber.onMessage(text));
  }

  #checkNumber(number: number): void {
    const hasGap = this.#wasInterrupted || number !== this.#arrived + 1;
    this.#arrived = number;
    this.#wasInterrupted = false;
    if (hasGap)
      for (const name of [...this.#channels.keys()]) this.#callAll(name, ({ subscriber }) => subscriber.onGap());
  }

  #callAll(name: string, call: (subscription: Subscription) => void): void {
    for (const subscription of [...(this.#channels.get(name)?.subscriptions ?? [])])
      try {
        call(subscription);
      } catch (error) {
        this.onerror(error);
      }
  }
}
