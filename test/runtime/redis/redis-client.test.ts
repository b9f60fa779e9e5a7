import { describe, expect, it } from "vitest";
import { type NodeRedis, toConnection } from "../../../runtime/src/redis/redis-client.js";

/** A client whose commands get a reply when the test says so, and which records the time limits of commands. */
class ClientDouble implements NodeRedis {
  isReady = true;
  readonly limits: unknown[] = [];
  readonly #replies: (() => void)[] = [];

  sendCommand(_command: readonly string[], options?: { readonly timeout?: number }): Promise<unknown> {
    this.limits.push(options?.timeout);
    return new Promise((resolve) => this.#replies.push(() => resolve("OK")));
  }

  /** Replies to the oldest commands. */
  async reply(count: number): Promise<void> {
    for (const reply of this.#replies.splice(0, count)) reply();
    await new Promise((resolve) => setImmediate(resolve));
  }

  readonly on = (): NodeRedis => this;
  readonly subscribe = (): Promise<void> => Promise.resolve();
  readonly unsubscribe = (): Promise<void> => Promise.resolve();
  readonly duplicate = (): NodeRedis => this;
  readonly connect = (): Promise<void> => Promise.resolve();
  readonly destroy = (): void => undefined;
}

describe("the time limits of commands of the package redis", () => {
  /** Sends commands, and returns the limit of the last. */
  function limitAfter(client: ClientDouble, count: number): unknown {
    const connection = toConnection(client);
    for (let at = 0; at < count; at++) void connection.send("key", ["GET", "key"], 300);
    return client.limits.at(-1);
  }

  it("are off while replies arrive: the one of the client would cost more than a command", () => {
    expect(limitAfter(new ClientDouble(), 1_000)).toBe(0);
  });

  it("are on while the client is not connected, so that its queue stays short", () => {
    const client = new ClientDouble();
    client.isReady = false;
    expect(limitAfter(client, 1)).toBe(300);
  });

  it("are on while a thousand commands have no reply", async () => {
    const client = new ClientDouble();
    const connection = toConnection(client);
    const limitOfNext = (): unknown => {
      void connection.send("key", ["GET", "key"], 300);
      return client.limits.at(-1);
    };
    for (let at = 0; at < 1_000; at++) expect(limitOfNext()).toBe(0);
    expect(limitOfNext()).toBe(300);
    await client.reply(2);
    expect(limitOfNext()).toBe(0);
    expect(limitOfNext()).toBe(300);
  });
});
