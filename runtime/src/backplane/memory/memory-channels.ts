import type { ChannelSubscriber } from "../backplane-store.js";

/** Distinguishes subscriptions of the same subscriber. */
interface Subscription {
  readonly subscriber: ChannelSubscriber;
}

/** The channels of a backplane in memory. */
export class MemoryChannels {
  readonly #subscriptions = new Map<string, Set<Subscription>>();

  /** @param onError receives what a subscriber throws */
  constructor(readonly onError: (error: unknown) => void) {}

  /** Messages arrive after the call of the publisher, as from another process. */
  publish(channel: string, text: string): void {
    const subscriptions = this.#subscriptions.get(channel);
    if (!subscriptions) return;
    const present = [...subscriptions];
    queueMicrotask(() => {
      for (const one of present)
        if (subscriptions.has(one))
          try {
            one.subscriber.onMessage(text);
          } catch (error) {
            this.onError(error);
          }
    });
  }

  subscribe(channel: string, subscriber: ChannelSubscriber): () => void {
    const own: Subscription = { subscriber };
    const subscriptions = this.#subscriptions.get(channel) ?? new Set();
    this.#subscriptions.set(channel, subscriptions.add(own));
    return () => {
      subscriptions.delete(own);
      if (subscriptions.size === 0 && this.#subscriptions.get(channel) === subscriptions)
        this.#subscriptions.delete(channel);
    };
  }
}
