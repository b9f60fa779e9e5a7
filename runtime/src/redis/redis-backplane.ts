import { Backplane, BackplaneError } from "../backplane.js";
import type {
  AppendOptions,
  ChannelSubscriber,
  LogEntry,
  LogPage,
  ReadOptions,
  SetOptions,
  StoredValue,
} from "../backplane/backplane-store.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { hashTag } from "./hash-tag.js";
import { RedisChannels } from "./redis-channels.js";
import { type IoRedis, type NodeRedis, type RedisConnection, toConnection } from "./redis-client.js";
import { RedisCommands } from "./redis-commands.js";
import { readSettings } from "./redis-settings.js";
import { arrayOf, textOf, UnreadableReply } from "./replies.js";
import { append, deleteIfVersion, publish, read, setIfVersion } from "./scripts.js";

export interface RedisBackplaneOptions {
  /** The beginning of all keys and channels. Servers that do not belong together need different ones. Default: `"mcp:"`. */
  readonly prefix?: string;
  /** Milliseconds after which a command without a reply has failed. Default: `5_000`. */
  readonly timeoutMs?: number;
  /** The most characters of a value, an entry of a log, or a message. Default: `2 ** 23`. */
  readonly maxTextLength?: number;
  /** Receives what subscribers throw. Default: it is thrown as an uncaught exception. */
  readonly onerror?: (error: unknown) => void;
}

/** The pause between two attempts to reach Redis, in milliseconds. */
const pauseMs = 250;

/** The longest life of a key, in milliseconds: about 300 years. */
const maxTtlMs = 1e13;

/** Ids of entries: the epoch and the number. */
const idPattern = /^\d{1,16}-\d{1,15}$/;

/** The form of stored values: a version of the form, the version of the value, and the text. */
const valuePattern = /^(1:[\w-]+) ([^]*)$/;

/**
 * A backplane in Redis 7.0 or newer, or in Valkey, also as a cluster.
 *
 * Every key expires, and belongs to one slot of a cluster. While Redis is away, calls fail with a `BackplaneError` after `timeoutMs`; the
 * client reconnects by its own rules.
 * @param client a connected client of the package `redis` or `ioredis`. Subscriptions use a duplicate of it, which `close` ends
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const client = await createClient({ url: "redis://localhost" }).on("error", console.error).connect();
 * const server = new McpServer(info, { backplane: redisBackplane(client) });
 * ```
 */
export function redisBackplane(client: NodeRedis | IoRedis, options: RedisBackplaneOptions = {}): RedisBackplane {
  assertNumberOptions(options);
  return new RedisBackplane(toConnection(client), options);
}

/** A backplane in Redis. `redisBackplane` creates it. */
export class RedisBackplane extends Backplane {
  readonly #prefix: string;
  readonly #commands: RedisCommands;
  readonly #maxTextLength: number;
  readonly #channels: RedisChannels;
  /** Begins the versions of this node. */
  readonly #node = crypto.randomUUID().slice(0, 13);
  #versions = 0;
  /** Receives what is wrong with the settings of Redis. */
  #warn: ((error: unknown) => void) | undefined;
  #hasChecked = false;

  /** @internal */
  constructor(
    readonly connection: RedisConnection,
    options: RedisBackplaneOptions,
  ) {
    super();
    const { prefix = "mcp:", timeoutMs = 5_000, maxTextLength = 2 ** 23, onerror = throwLater } = options;
    this.#prefix = prefix;
    this.#commands = new RedisCommands(
      connection,
      timeoutMs,
      ({ reason, message }, cause) => new BackplaneError(reason, message, { cause }),
    );
    this.#maxTextLength = maxTextLength;
    this.#channels = new RedisChannels(connection, `${prefix}c:`, onerror);
  }

  /**
   * Waits for Redis, and checks its settings. Call it before your program serves, so that the program ends with one error when Redis is
   * away. Without it, the program serves what needs no Redis until Redis is there, and the server reports the warnings to `onerror`.
   * @param options `waitMs`: the milliseconds to wait. Default: `timeoutMs`
   * @returns what is wrong with the settings, a sentence for each: a `maxmemory-policy` that drops values, a version that is too old, or
   *   clocks that differ
   * @throws BackplaneError `unavailable` when Redis does not respond, with its address and what to do
   * @example
   * ```ts
   * for (const warning of await backplane.check({ waitMs: 30_000 })) console.warn(warning);
   * ```
   */
  async check(options: { readonly waitMs?: number } = {}): Promise<readonly string[]> {
    assertNumberOptions(options);
    this.#hasChecked = true;
    const end = performance.now() + (options.waitMs ?? this.#commands.timeoutMs);
    for (;;) {
      try {
        const { warnings, clockOffsetMs } = await readSettings(this.#commands);
        this.clockOffsetMs = clockOffsetMs;
        return warnings;
      } catch (error) {
        if (performance.now() + pauseMs >= end) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /** @internal */
  override connectServer(...given: Parameters<Backplane["connectServer"]>): ReturnType<Backplane["connectServer"]> {
    this.#warn ??= given[0].onerror;
    return super.connectServer(...given);
  }

  get(key: string): Promise<StoredValue | undefined> {
    const name = this.#value(key);
    return this.#commands.send("read a value", name, ["GET", name], (reply) => {
      if (reply === null) return undefined;
      const [, version, text] = valuePattern.exec(textOf(reply)) ?? [];
      if (version === undefined || text === undefined) throw new UnreadableReply(`the value of ${name}`);
      return { text, version };
    });
  }

  async set(key: string, text: string, { ttlMs, ifVersion }: SetOptions): Promise<string | undefined> {
    this.#checkLength(text);
    const name = this.#value(key);
    const version = `1:${this.#node}-${(this.#versions++).toString(36)}`;
    const [content, life] = [`${version} ${text}`, lifeOf(ttlMs)];
    if (ifVersion !== undefined && ifVersion !== null) {
      const isSet = await this.#commands.run("set a value", setIfVersion, [name], [ifVersion, content, life], isOne);
      return isSet ? version : undefined;
    }
    const condition = ifVersion === null ? ["NX"] : [];
    const command = ["SET", name, content, "PX", life, ...condition];
    return this.#commands.send("set a value", name, command, (reply) => (reply === null ? undefined : version));
  }

  async extend(key: string, ttlMs: number): Promise<boolean> {
    const name = this.#value(key);
    return this.#commands.send("extend a value", name, ["PEXPIRE", name, lifeOf(ttlMs)], isOne);
  }

  async delete(key: string, ifVersion?: string): Promise<boolean> {
    const name = this.#value(key);
    if (ifVersion === undefined) return this.#commands.send("delete a value", name, ["DEL", name], isOne);
    return this.#commands.run("delete a value", deleteIfVersion, [name], [ifVersion], isOne);
  }

  async append(log: string, text: string, { ttlMs, maxEntries }: AppendOptions): Promise<string> {
    this.#checkLength(text);
    const args = [text, String(Math.max(1, maxEntries)), lifeOf(ttlMs), this.#channel(log)];
    return this.#commands.run("append to a log", append, [this.#log(log)], args, (reply) => {
      const id = textOf(reply);
      if (!idPattern.test(id)) throw new UnreadableReply();
      return id;
    });
  }

  async read(log: string, { after, limit }: ReadOptions): Promise<LogPage> {
    const isUsual = after === undefined || idPattern.test(after);
    const args = [isUsual ? (after ?? "") : "0-0", String(limit)];
    return this.#commands.run("read a log", read, [this.#log(log)], args, (reply) => {
      const [gap, entries] = arrayOf(reply);
      return { entries: arrayOf(entries).map(toEntry), hasGap: gap === 1 };
    });
  }

  async drop(log: string): Promise<boolean> {
    const name = this.#log(log);
    return this.#commands.send("drop a log", name, ["DEL", name], isOne);
  }

  async publish(channel: string, text: string): Promise<void> {
    this.#checkLength(text);
    await this.#commands.run("publish a message", publish, [this.#channel(channel)], [text], () => undefined);
  }

  async subscribe(channel: string, subscriber: ChannelSubscriber): Promise<() => void> {
    const subscribing = this.#channels.subscribe(this.#channel(channel), subscriber);
    return this.#commands.try("subscribe to a channel", async () => {
      try {
        const end = await this.#commands.limit(subscribing);
        this.#checkOnce();
        return end;
      } catch (error) {
        // It may succeed later.
        subscribing.then(
          (end) => end(),
          () => undefined,
        );
        throw error;
      }
    });
  }

  /** Ends all subscriptions and their connection. The client that was passed stays open. */
  close(): void {
    this.#channels.close();
  }

  /** Called when Redis responds. */
  #checkOnce(): void {
    const warn = this.#warn;
    if (!warn || this.#hasChecked) return;
    this.check({ waitMs: 0 }).then((warnings) => {
      for (const warning of warnings) warn(new Error(warning));
    }, warn);
  }

  #value(key: string): string {
    return `${this.#prefix}v:${hashTag(key)}`;
  }

  #log(log: string): string {
    return `${this.#prefix}l:${hashTag(log)}`;
  }

  #channel(channel: string): string {
    return `${this.#prefix}c:${channel}`;
  }

  #checkLength({ length }: string): void {
    if (length > this.#maxTextLength)
      throw new BackplaneError(
        "too-large",
        `a text of ${length} characters is longer than maxTextLength (${this.#maxTextLength})`,
      );
  }
}

function lifeOf(ttlMs: number): string {
  return String(Math.ceil(Math.min(Math.max(ttlMs, 1), maxTtlMs)));
}

function isOne(reply: unknown): boolean {
  return reply === 1;
}

function toEntry(reply: unknown): LogEntry {
  const [id, fields] = arrayOf(reply);
  const [name, text] = arrayOf(fields);
  if (textOf(name) !== "t") throw new UnreadableReply("an entry of a log");
  return { id: textOf(id), text: textOf(text) };
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
