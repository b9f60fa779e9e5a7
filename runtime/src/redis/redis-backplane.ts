import { Backplane } from "../backplane/backplane.js";
import { BackplaneError } from "../backplane/backplane-error.js";
import type {
  AppendOptions,
  ChannelSubscriber,
  LogEntry,
  LogPage,
  ReadOptions,
  SetOptions,
  StoredValue,
} from "../backplane/backplane-store.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { withTimeLimit } from "../timing/with-time-limit.js";
import { RedisChannels } from "./redis-channels.js";
import { type IoRedis, type NodeRedis, type RedisConnection, toConnection } from "./redis-client.js";
import { toBackplaneError } from "./redis-failure.js";
import { append, deleteIfVersion, read, type RedisScript, setIfVersion } from "./scripts.js";

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
  readonly #timeoutMs: number;
  readonly #maxTextLength: number;
  readonly #channels: RedisChannels;
  /** Begins the versions of this node. */
  readonly #node = crypto.randomUUID().slice(0, 13);
  #versions = 0;

  /** @internal */
  constructor(
    readonly connection: RedisConnection,
    options: RedisBackplaneOptions,
  ) {
    super();
    const { prefix = "mcp:", timeoutMs = 5_000, maxTextLength = 2 ** 23, onerror = throwLater } = options;
    this.#prefix = prefix;
    this.#timeoutMs = timeoutMs;
    this.#maxTextLength = maxTextLength;
    this.#channels = new RedisChannels(connection, `${prefix}c:`, onerror);
  }

  async get(key: string): Promise<StoredValue | undefined> {
    const name = this.#value(key);
    const reply = await this.#send("read a value", name, ["GET", name]);
    if (reply === null) return undefined;
    const [, version, text] = valuePattern.exec(textOf(reply)) ?? [];
    if (version === undefined || text === undefined) throw unreadable(`the value of ${name}`);
    return { text, version };
  }

  async set(key: string, text: string, { ttlMs, ifVersion }: SetOptions): Promise<string | undefined> {
    this.#checkLength(text);
    const name = this.#value(key);
    const version = `1:${this.#node}-${(this.#versions++).toString(36)}`;
    const [content, life] = [`${version} ${text}`, lifeOf(ttlMs)];
    if (ifVersion !== undefined && ifVersion !== null) {
      const isSet = await this.#run("set a value", setIfVersion, name, [ifVersion, content, life]);
      return isSet === 1 ? version : undefined;
    }
    const condition = ifVersion === null ? ["NX"] : [];
    const reply = await this.#send("set a value", name, ["SET", name, content, "PX", life, ...condition]);
    return reply === null ? undefined : version;
  }

  async extend(key: string, ttlMs: number): Promise<boolean> {
    const name = this.#value(key);
    return (await this.#send("extend a value", name, ["PEXPIRE", name, lifeOf(ttlMs)])) === 1;
  }

  async delete(key: string, ifVersion?: string): Promise<boolean> {
    const name = this.#value(key);
    if (ifVersion === undefined) return (await this.#send("delete a value", name, ["DEL", name])) === 1;
    return (await this.#run("delete a value", deleteIfVersion, name, [ifVersion])) === 1;
  }

  async append(log: string, text: string, { ttlMs, maxEntries }: AppendOptions): Promise<string> {
    this.#checkLength(text);
    const [name, channel] = [this.#log(log), this.#channel(log)];
    const args = [text, String(Math.max(1, maxEntries)), lifeOf(ttlMs), channel];
    const id = textOf(await this.#run("append to a log", append, name, args));
    if (!idPattern.test(id)) throw unreadable("a reply of Redis");
    return id;
  }

  async read(log: string, { after, limit }: ReadOptions): Promise<LogPage> {
    const isUsual = after === undefined || idPattern.test(after);
    const name = this.#log(log);
    const args = [isUsual ? (after ?? "") : "0-0", String(limit)];
    const [gap, entries] = arrayOf(await this.#run("read a log", read, name, args));
    return { entries: arrayOf(entries).map(toEntry), hasGap: gap === 1 };
  }

  async drop(log: string): Promise<boolean> {
    const name = this.#log(log);
    return (await this.#send("drop a log", name, ["DEL", name])) === 1;
  }

  async publish(channel: string, text: string): Promise<void> {
    this.#checkLength(text);
    await this.#send("publish a message", undefined, ["PUBLISH", this.#channel(channel), text]);
  }

  async subscribe(channel: string, subscriber: ChannelSubscriber): Promise<() => void> {
    const subscribing = this.#channels.subscribe(this.#channel(channel), subscriber);
    try {
      return await withTimeLimit(subscribing, this.#timeoutMs, () => this.#late());
    } catch (error) {
      // It may succeed later.
      subscribing.then(
        (end) => end(),
        () => undefined,
      );
      throw toBackplaneError("subscribe to a channel", error);
    }
  }

  /** Ends all subscriptions and their connection. The client that was passed stays open. */
  close(): void {
    this.#channels.close();
  }

  #value(key: string): string {
    return `${this.#prefix}v:{${escaped(key)}}`;
  }

  #log(log: string): string {
    return `${this.#prefix}l:{${escaped(log)}}`;
  }

  #channel(channel: string): string {
    return `${this.#prefix}c:${channel}`;
  }

  async #run(what: string, script: RedisScript, key: string, args: readonly string[]): Promise<unknown> {
    const rest = ["1", key, ...args];
    const sha = await script.sha();
    try {
      return await this.#send(what, key, ["EVALSHA", sha, ...rest]);
    } catch (error) {
      // Redis has forgotten the script, or never had it.
      if (!isMissingScript(error)) throw error;
      return this.#send(what, key, ["EVAL", script.text, ...rest]);
    }
  }

  async #send(what: string, key: string | undefined, command: readonly string[]): Promise<unknown> {
    try {
      return await withTimeLimit(this.connection.send(key, command), this.#timeoutMs, () => this.#late());
    } catch (error) {
      throw toBackplaneError(what, error);
    }
  }

  #late(): Error {
    return new Error(`no reply within ${this.#timeoutMs} ms`);
  }

  #checkLength({ length }: string): void {
    if (length > this.#maxTextLength)
      throw new BackplaneError(
        "too-large",
        `a text of ${length} characters is longer than maxTextLength (${this.#maxTextLength})`,
      );
  }
}

function isMissingScript(error: unknown): boolean {
  return error instanceof BackplaneError && toError(error.cause).message.startsWith("NOSCRIPT");
}

/** Keeps the name in one hash tag: Redis Cluster places a key by the text between its first braces. */
function escaped(name: string): string {
  return name.replace(/[%{}]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) || "%";
}

function lifeOf(ttlMs: number): string {
  return String(Math.ceil(Math.min(Math.max(ttlMs, 1), maxTtlMs)));
}

function textOf(reply: unknown): string {
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply);
}

function arrayOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw unreadable("a reply of Redis");
}

function toEntry(reply: unknown): LogEntry {
  const [id, fields] = arrayOf(reply);
  const [name, text] = arrayOf(fields);
  if (textOf(name) !== "t") throw unreadable("an entry of a log");
  return { id: textOf(id), text: textOf(text) };
}

function unreadable(what: string): BackplaneError {
  const text = `${what} was not written by this version of mcpwright; choose another prefix`;
  return new BackplaneError("unreadable", text);
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
