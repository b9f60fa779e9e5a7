import { toError } from "../../jsonrpc/error-conversion.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import { hashTag } from "../../redis/hash-tag.js";
import { RedisChannels } from "../../redis/redis-channels.js";
import { type IoRedis, type NodeRedis, toConnection } from "../../redis/redis-client.js";
import { RedisCommands } from "../../redis/redis-commands.js";
import type { RedisScript } from "../../redis/redis-script.js";
import { arrayOf, jsonOf, numberOf, textOf, UnreadableReply } from "../../redis/replies.js";
import { deadlineTimer } from "../../timing/deadline-timer.js";
import type { Principal } from "../../transport/principal.js";
import { readCursor, writeCursor } from "../store/list-cursor.js";
import { idInUse, limitReached, smallRecord, taskLimits, type TaskLimits } from "../store/task-limits.js";
import { WorkerWatch } from "../store/worker-watch.js";
import { hasEnded, ownerKey, type TaskRecord, type TaskRequest } from "../task-record.js";
import { TaskStoreError } from "../task-store-error.js";
import type { TaskPage, TaskQuery, TaskStore } from "../task-store.js";
import { ChangeFeed, type PublishedChange, type RecentChanges } from "./change-feed.js";
import { keyNames } from "./script-library.js";
import * as scripts from "./task-scripts.js";

export interface RedisTaskStoreOptions extends TaskLimits {
  /** The beginning of all keys, in braces, and of the channel. Servers that do not belong together need different ones. Default: `"mcp:"`. */
  readonly prefix?: string;
  /** Milliseconds after which a call without a reply has failed. Default: `5_000`. */
  readonly timeoutMs?: number;
  /** Called when work in the background fails: deleting expired tasks, or receiving changes. The store tries again later. */
  readonly onerror?: (error: Error) => void;
}

/** Expired tasks are never returned, but they are deleted at most this often. */
const sweepIntervalMs = 1_000;
/** Other processes may create tasks that expire, and end before they delete them. */
const longestSweepMs = 60_000;
/** Longer lives are the same as this one, and stay safe integers. */
const longestTtlMs = 1e14;

/** Why a script did not create or change a task: the name of a limit that is reached, or one of the others. */
type Refusal = keyof TaskLimits | "task-exists" | "unchanged";
const refusals: readonly Refusal[] = [
  "maxTasks",
  "maxTasksPerOwner",
  "maxSize",
  "maxSizePerOwner",
  "task-exists",
  "unchanged",
];

/**
 * Keeps tasks in Redis 7.0 or newer, or in Valkey, also in a cluster. Processes of any number of machines may share them. A task is as durable
 * as Redis is: set `appendonly yes` and `appendfsync always` so that a call resolves when the disk has the change, and
 * `maxmemory-policy noeviction`.
 *
 * All keys begin with `{<prefix>}tasks:` and belong to one slot of a cluster. They expire after the last task and the last worker, unless a
 * task has no `ttlMs`. While Redis is away, calls fail after `timeoutMs`; the client reconnects by its own rules.
 * @example
 * ```ts
 * const client = await createClient({ url: "redis://localhost" }).on("error", console.error).connect();
 * const store = new RedisTaskStore(client);
 * ```
 */
export class RedisTaskStore implements TaskStore {
  readonly #commands: RedisCommands;
  readonly #channels: RedisChannels;
  readonly #feed: ChangeFeed;
  readonly #watch = new WorkerWatch();
  readonly #limits: Required<TaskLimits>;
  readonly #keys: readonly string[];
  readonly #channel: string;
  readonly #onerror: ((error: Error) => void) | undefined;
  /** When the timer sweeps, in milliseconds of the monotonic clock. */
  #sweepAt = Infinity;
  #isClosed = false;
  /** The tasks, and their owners, whose creation failed, but may have happened, or may happen later. */
  readonly #doubtful = new Map<string, Principal | null>();
  /** The number of the last claim, and those of claims whose replies were lost: they may have happened, or may happen later. */
  #claim = 0;
  readonly #lostClaims = new Set<number>();

  /**
   * @param client a connected client of the package `redis` or `ioredis`. Changes of other processes arrive over a duplicate of it, which
   * `close` ends
   * @throws SdkError `INVALID_CONFIGURATION` when `client` is not one, or an option is invalid
   */
  constructor(client: NodeRedis | IoRedis, options: RedisTaskStoreOptions = {}) {
    const { prefix = "mcp:", timeoutMs = 5_000, onerror, ...limits } = options;
    assertNumberOptions({ timeoutMs });
    this.#limits = taskLimits(limits);
    this.#onerror = onerror;
    const connection = toConnection(client);
    const toFailure = ({ reason, message }: Pick<TaskStoreError, "reason" | "message">, cause: Error): TaskStoreError =>
      new TaskStoreError(reason, message, { cause });
    this.#commands = new RedisCommands(connection, timeoutMs, toFailure);
    this.#keys = keyNames.map((name) => `${hashTag(prefix)}tasks:${name}`);
    this.#channel = `${prefix}tasks:changes`;
    const failed = (error: unknown): void => this.#failed(error);
    this.#channels = new RedisChannels(connection, `${prefix}tasks:`, failed);
    const recent = (after: number, age: number): Promise<RecentChanges> => this.#recent(after, age);
    this.#feed = new ChangeFeed(this.#channels, this.#channel, recent, failed);
    this.#sweepIn(0);
  }

  async create(record: TaskRecord, request?: TaskRequest): Promise<void> {
    const [content, requestText] = [contentOf(record), request ? JSON.stringify(request) : ""];
    const { maxTasks, maxTasksPerOwner, maxSize, maxSizePerOwner } = this.#limits;
    const numbers = [record.version, record.attempts, content.length + requestText.length, requestText.length];
    const args = [
      ...[quoted(record.id), quotedOwner(record.owner), quoted(record.revision), quoted(record.worker)],
      ...[content, requestText, flag(hasEnded(record)), lifeOf(record.ttlMs)],
      ...[...numbers, maxTasks, maxTasksPerOwner, maxSize, maxSizePerOwner].map(toNumber),
    ];
    this.#doubtful.delete(record.id);
    try {
      const refusal = await this.#run("create a task", scripts.create, args, toRefusal);
      if (refusal) throw this.#refused(refusal);
    } catch (error) {
      if (error instanceof TaskStoreError && error.reason === "unavailable") this.#undoCreation(record);
      throw error;
    }
    if (record.ttlMs !== null) this.#sweepIn(record.ttlMs);
  }

  get(id: string, owner: Principal | null): Promise<TaskRecord | undefined> {
    const args = [quoted(id), quotedOwner(owner)];
    return this.#run("read a task", scripts.get, args, ([record]) =>
      Array.isArray(record) ? toRecord(record) : undefined,
    );
  }

  getRequest(id: string, owner: Principal | null): Promise<TaskRequest | undefined> {
    const args = [quoted(id), quotedOwner(owner)];
    return this.#run("read the request of a task", scripts.getRequest, args, ([request]) =>
      textOf(request) === "" ? undefined : (jsonOf(request) as TaskRequest),
    );
  }

  async update(record: TaskRecord): Promise<boolean> {
    const content = contentOf(record);
    const isSmall = content.length <= smallRecord;
    const { maxTasks, maxTasksPerOwner, maxSize, maxSizePerOwner } = this.#limits;
    const limits = isSmall ? [] : [maxTasks, maxTasksPerOwner, maxSize, maxSizePerOwner];
    const args = [
      ...[quoted(record.id), quotedOwner(record.owner), quoted(record.worker), content],
      ...[flag(hasEnded(record)), lifeOf(record.ttlMs)],
      ...[record.version, record.attempts, content.length, ...limits].map(toNumber),
    ];
    const script = isSmall ? scripts.smallUpdate : scripts.update;
    const refusal = await this.#run("change a task", script, args, toRefusal);
    if (refusal === "unchanged") return false;
    if (refusal) throw this.#refused(refusal);
    if (record.ttlMs !== null) this.#sweepIn(record.ttlMs);
    return true;
  }

  delete(id: string, owner: Principal | null): Promise<boolean> {
    const args = [quoted(id), quotedOwner(owner)];
    return this.#run("delete a task", scripts.remove, args, ([isDeleted]) => isDeleted === 1);
  }

  async list({ owner, revision, cursor, limit }: TaskQuery): Promise<TaskPage> {
    const args = [quotedOwner(owner), quoted(revision), String(readCursor(cursor)), toNumber(limit)];
    return this.#run("list tasks", scripts.list, args, ([found]) => {
      const rows = arrayOf(found);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const nextCursor = last === undefined ? undefined : writeCursor(numberOf(arrayOf(last)[4]));
      return { records: page.map(toRecord), nextCursor };
    });
  }

  async heartbeat(worker: string, leaseMs: number): Promise<void> {
    await this.#run("store a heartbeat", scripts.heartbeat, [quoted(worker), toNumber(leaseMs)], nothing);
  }

  async retire(worker: string): Promise<void> {
    await this.#run("retire a worker", scripts.retire, [quoted(worker)], nothing);
  }

  async claimAbandoned(worker: string, limit: number): Promise<readonly TaskRecord[]> {
    const beats = await this.#run("look for abandoned tasks", scripts.readWorkers, [], ([reply]) => toBeats(reply));
    const own = quoted(worker);
    const dead = [...beats].filter(([other, beat]) => other !== own && this.#watch.isDead(other, toHeartbeat(beat)));
    if (dead.length === 0 && this.#lostClaims.size === 0) return [];
    const [number, lost] = [++this.#claim, [...this.#lostClaims]];
    // Another process may claim the tasks first, and the worker may come back: the script compares the heartbeats.
    const args = [own, toNumber(limit), String(number), lost.join(" "), ...dead.flat()];
    let claimed: readonly TaskRecord[];
    try {
      claimed = await this.#run("claim abandoned tasks", scripts.claim, args, ([reply]) =>
        arrayOf(reply).map(toRecord),
      );
    } catch (error) {
      this.#lostClaims.add(number);
      throw error;
    }
    if (claimed.length < limit) for (const one of lost) this.#lostClaims.delete(one);
    for (const [other] of dead) if (claimed.length < limit) this.#watch.forget(other);
    return claimed;
  }

  subscribe(listener: (id: string) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  /** Ends the connection for changes, and the work in the background. Close the server before. The client that was passed stays open. */
  close(): void {
    this.#isClosed = true;
    this.#sweepAt = Infinity;
    deadlineTimer.cancel(this);
    this.#feed.close();
    this.#channels.close();
  }

  /** @internal */
  expireDue(now: number): number {
    if (now < this.#sweepAt) return this.#sweepAt;
    this.#sweepAt = now + longestSweepMs;
    this.#sweep().then(
      (waitMs) => this.#sweepIn(Math.min(waitMs, longestSweepMs)),
      (error: unknown) => {
        this.#failed(error);
        if (this.#doubtful.size > 0) this.#sweepIn(0);
      },
    );
    return this.#sweepAt;
  }

  /** Deletes expired tasks, and those that their callers do not know of. Returns the milliseconds until the next one expires. */
  async #sweep(): Promise<number> {
    for (const [id, owner] of this.#doubtful) {
      await this.delete(id, owner);
      this.#doubtful.delete(id);
    }
    return this.#run("delete expired tasks", scripts.expire, [], ([waitMs]) =>
      textOf(waitMs) === "" ? Infinity : numberOf(waitMs),
    );
  }

  /** A task whose creation has failed would never end. Redis runs the commands of a client in their order, also those that were late. */
  #undoCreation({ id, owner }: TaskRecord): void {
    this.#doubtful.set(id, owner);
    this.#sweepIn(0);
  }

  #sweepIn(ms: number): void {
    if (this.#isClosed) return;
    this.#sweepAt = Math.min(this.#sweepAt, performance.now() + Math.max(ms, sweepIntervalMs));
    deadlineTimer.schedule(this, this.#sweepAt);
  }

  #recent(after: number, age: number): Promise<RecentChanges> {
    return this.#run("read changes", scripts.changesSince, [String(after), String(age)], ([last, reply]) => {
      const [rows, changes] = [arrayOf(reply), [] as { id: string; stamp: number }[]];
      for (let at = 0; at + 1 < rows.length; at += 2)
        changes.push({ id: String(jsonOf(rows[at])), stamp: numberOf(rows[at + 1]) });
      return { last: numberOf(last), changes };
    });
  }

  /** Runs a script, and passes on the change that it made. */
  async #run<Value>(
    what: string,
    script: RedisScript,
    args: readonly string[],
    read: (reply: readonly unknown[]) => Value,
  ): Promise<Value> {
    let change: PublishedChange | undefined;
    const value = await this.#commands.run(what, script, this.#keys, [this.#channel, ...args], (reply) => {
      const [published, ...rest] = arrayOf(reply);
      if (textOf(published) !== "") change = jsonOf(published) as PublishedChange;
      return read(rest);
    });
    if (change) this.#feed.add(change);
    return value;
  }

  #refused(refusal: Refusal): TaskStoreError {
    return refusal === "task-exists" || refusal === "unchanged" ? idInUse() : limitReached(this.#limits, refusal);
  }

  #failed(error: unknown): void {
    if (!this.#isClosed) this.#onerror?.(toError(error));
  }
}

function toRefusal([reply]: readonly unknown[]): Refusal | undefined {
  const text = textOf(reply);
  const refusal = refusals.find((known) => known === text);
  if (refusal === undefined && text !== "") throw new UnreadableReply();
  return refusal;
}

/** The record without the members that scripts change. */
function contentOf({ version: _version, worker: _worker, attempts: _attempts, ...content }: TaskRecord): string {
  return JSON.stringify(content);
}

function toRecord(reply: unknown): TaskRecord {
  const [content, version, worker, attempts] = arrayOf(reply);
  const changed = { version: numberOf(version), worker: jsonOf(worker), attempts: numberOf(attempts) };
  return { ...(jsonOf(content) as TaskRecord), ...(changed as Pick<TaskRecord, keyof typeof changed>) };
}

/** The last heartbeat of each worker, as it is stored; empty for those that have tasks and none. */
function toBeats(reply: unknown): ReadonlyMap<string, string> {
  const [fields, beats] = [arrayOf(reply).map(textOf), new Map<string, string>()];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [field = "", value = ""] = [fields[at], fields[at + 1]];
    const worker = field.slice(1);
    if (field.startsWith("b")) beats.set(worker, value);
    else if (!beats.has(worker)) beats.set(worker, "");
  }
  return beats;
}

function toHeartbeat(stored: string): { readonly beat: number; readonly leaseMs: number } | undefined {
  if (stored === "") return undefined;
  const [beat, leaseMs] = stored.split(" ");
  return { beat: Number(beat), leaseMs: Number(leaseMs) };
}

const nothing = (): void => undefined;

/** Quotes a text: characters that are half a pair would be one character in Redis. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function quotedOwner(owner: Principal | null): string {
  return quoted(ownerKey(owner));
}

function flag(value: boolean): string {
  return value ? "1" : "0";
}

function toNumber(value: number): string {
  return String(Math.min(value, Number.MAX_SAFE_INTEGER));
}

function lifeOf(ttlMs: number | null): string {
  return ttlMs === null ? "" : String(Math.min(Math.floor(ttlMs), longestTtlMs));
}
