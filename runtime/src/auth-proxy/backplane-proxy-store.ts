import { ProxyStoreError } from "../auth-proxy.js";
import { BackplaneError, type ValueStore } from "../backplane.js";
import { untilChanged } from "../backplane/until-changed.js";
import { isObject } from "../jsonrpc/guards.js";
import { assertMethods } from "../options/assert-methods.js";
import type { ProxyStore } from "./proxy-store.js";
import { hashOf } from "./random-ids.js";

/** A value, as it is kept. */
interface StoredValue {
  readonly value: string;
  /** Its group, and the epoch that the group must have. */
  readonly group?: readonly [group: string, epoch: string];
}

/** The `Date.now()` at which each of several values ends, by its name; 0: never. */
type Ends = Readonly<Record<string, number>>;

/** The values of a group. Its deletion ends all of them, also those that are being set at the moment. */
interface Group {
  readonly epoch: string;
  /** Those of the listed values, which end last. */
  readonly ends: Ends;
}

/** The names of the values of a kind are kept in so many parts, to count them. */
const partCount = 64;
/**
 * The most values that a group lists: the list is written with each new value, and a client can refresh its tokens as often as it likes.
 * Further values end with the group, too, but they are stored and counted until the time at which they would have expired.
 */
const maxListed = 500;

/**
 * Keeps clients, grants, tokens and consents in a backplane, so that several machines share them: a user who begins to log in at one can
 * go on at any other. Each proxy needs a backplane of its own, or one with a prefix of its own.
 *
 * A code or refresh token is accepted once by all machines together, and a revocation holds at all of them as soon as it has succeeded.
 * @example
 * ```ts
 * const store = new BackplaneProxyStore(redisBackplane(client, { prefix: "log-in:" }));
 * const proxy = await createOAuthProxy({ ...options, store });
 * ```
 */
export class BackplaneProxyStore implements ProxyStore {
  /** @throws SdkError `INVALID_CONFIGURATION` when `backplane` is not one */
  constructor(readonly backplane: ValueStore) {
    assertMethods(backplane, ["get", "set", "delete"], "pass a backplane, such as that of redisBackplane(client)");
  }

  /** @throws ProxyStoreError */
  async get(kind: string, id: string): Promise<string | undefined> {
    return (await this.#find(hashOf(kind, id)))?.value;
  }

  /** @throws ProxyStoreError */
  async set(kind: string, id: string, value: string, expiresAt = Infinity, group?: string): Promise<void> {
    if (expiresAt <= Date.now()) return this.delete(kind, id);
    const name = hashOf(kind, id);
    // If the last step fails, a value is counted and listed that does not exist, which does no harm.
    await this.#change(partOf(kind, name), isEnds, (ends) => lasting(withEnd(ends, shortened(name), expiresAt)));
    const joined = group === undefined ? undefined : await this.#join(hashOf(kind, "group", group), name, expiresAt);
    const stored: StoredValue = { value, ...(joined && { group: joined }) };
    await this.#run("store a value", () =>
      this.backplane.set(keyOf(name), JSON.stringify(stored), { ttlMs: timeUntil(expiresAt) }),
    );
  }

  /** @throws ProxyStoreError when the reason is `unavailable`, the value may have been deleted */
  async take(kind: string, id: string): Promise<string | undefined> {
    const name = hashOf(kind, id);
    const { value } = await untilChanged(async () => {
      const found = await this.#find(name);
      if (!found) return { value: undefined };
      const isTaken = await this.#run("take a value", () => this.backplane.delete(keyOf(name), found.version));
      return isTaken ? found : undefined;
    }, conflict("take a value"));
    if (value !== undefined) await this.#uncount(kind, [name]);
    return value;
  }

  /** @throws ProxyStoreError */
  async delete(kind: string, id: string): Promise<void> {
    const name = hashOf(kind, id);
    if (await this.#run("delete a value", () => this.backplane.delete(keyOf(name)))) await this.#uncount(kind, [name]);
  }

  /** @throws ProxyStoreError when the reason is `unavailable`, the values may have been deleted */
  async deleteGroup(kind: string, group: string): Promise<void> {
    const groupName = hashOf(kind, "group", group);
    const found = await this.#read("delete values", keyOf(groupName), isGroup);
    if (!found) return;
    // From here on, no value of the group is valid. The rest frees the storage of those that are listed.
    await this.#run("delete values", () => this.backplane.delete(keyOf(groupName)));
    const { epoch, ends } = found.content;
    const names = await Promise.all(
      Object.keys(ends).map(async (name) => {
        const member = await this.#read("delete values", keyOf(name), isStoredValue);
        const [itsGroup, itsEpoch] = member?.content.group ?? [];
        if (!member || itsGroup !== groupName || itsEpoch !== epoch) return [];
        await this.#run("delete values", () => this.backplane.delete(keyOf(name), member.version));
        return [name];
      }),
    );
    await this.#uncount(kind, names.flat());
  }

  /** @throws ProxyStoreError */
  async count(kind: string): Promise<number> {
    const parts = await Promise.all(
      Array.from({ length: partCount }, (_, part) => this.#read("count values", partKey(kind, part), isEnds)),
    );
    return parts.reduce((total, part) => total + Object.keys(withoutExpired(part?.content)).length, 0);
  }

  /** Returns a value that is valid. */
  async #find(name: string): Promise<{ readonly value: string; readonly version: string } | undefined> {
    const stored = await this.#read("read a value", keyOf(name), isStoredValue);
    if (!stored) return undefined;
    const { value, group } = stored.content;
    if (group && (await this.#read("read a value", keyOf(group[0]), isGroup))?.content.epoch !== group[1])
      return undefined;
    return { value, version: stored.version };
  }

  /** Adds a value to its group. */
  async #join(group: string, name: string, expiresAt: number): Promise<readonly [group: string, epoch: string]> {
    const { epoch } = await this.#change(keyOf(group), isGroup, (found) => {
      const { epoch = crypto.randomUUID() } = found ?? {};
      const { content: ends, endsAt } = lasting(listed(withEnd(found?.ends, name, expiresAt)));
      return { content: { epoch, ends }, endsAt };
    });
    return [group, epoch];
  }

  /** Counts deleted values no longer. */
  async #uncount(kind: string, names: readonly string[]): Promise<void> {
    const short = new Set(names.map(shortened));
    try {
      for (const part of new Set(names.map((name) => partOf(kind, name))))
        await this.#change(part, isEnds, (ends) =>
          lasting(Object.fromEntries(Object.entries(ends ?? {}).filter(([name]) => !short.has(name)))),
        );
    } catch {
      // The caller has to know that the values are deleted. They count until the time at which they would have expired.
    }
  }

  /** Changes a JSON object in one step, which is repeated when another change was faster. */
  #change<Content>(
    key: string,
    isContent: (value: unknown) => value is Content,
    change: (content: Content | undefined) => { readonly content: Content; readonly endsAt: number },
  ): Promise<Content> {
    const what = "store a value";
    return untilChanged(async () => {
      const found = await this.#read(what, key, isContent);
      const { content, endsAt } = change(found?.content);
      const options = { ttlMs: timeUntil(endsAt), ifVersion: found?.version ?? null };
      const version = await this.#run(what, () => this.backplane.set(key, JSON.stringify(content), options));
      return version === undefined ? undefined : content;
    }, conflict(what));
  }

  async #read<Content>(
    what: string,
    key: string,
    isContent: (value: unknown) => value is Content,
  ): Promise<{ readonly content: Content; readonly version: string } | undefined> {
    const found = await this.#run(what, () => this.backplane.get(key));
    if (!found) return undefined;
    const content = parse(found.text);
    if (isContent(content)) return { content, version: found.version };
    const text = `the backplane contains something else under ${key}; give each proxy a prefix of its own`;
    throw new ProxyStoreError("unreadable", `cannot ${what}: ${text}`);
  }

  async #run<Result>(what: string, act: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (cause) {
      const [reason, text] =
        cause instanceof BackplaneError ? [cause.reason, cause.message] : ["unknown", String(cause)];
      throw new ProxyStoreError(reason as ProxyStoreError["reason"], `cannot ${what}: ${text}`, { cause });
    }
  }
}

/** The key of a value or a group. */
function keyOf(name: string): string {
  return `proxy:${name}`;
}

function partOf(kind: string, name: string): string {
  return partKey(kind, Buffer.from(name.slice(0, 2), "base64url").readUInt8() % partCount);
}

function partKey(kind: string, part: number): string {
  return keyOf(hashOf(kind, "part", String(part)));
}

/** Enough of a name to distinguish the values of one kind. */
function shortened(name: string): string {
  return name.slice(0, 16);
}

function withEnd(ends: Ends | undefined, name: string, expiresAt: number): Ends {
  return { ...withoutExpired(ends), [name]: expiresAt === Infinity ? 0 : expiresAt };
}

function withoutExpired(ends: Ends = {}): Ends {
  const now = Date.now();
  return Object.fromEntries(Object.entries(ends).filter(([, end]) => end === 0 || end > now));
}

/** The ends that a group lists. */
function listed(ends: Ends): Ends {
  const all = Object.entries(ends);
  if (all.length <= maxListed) return ends;
  const time = (end: number): number => end || Number.MAX_VALUE;
  return Object.fromEntries(all.sort(([, one], [, other]) => time(other) - time(one)).slice(0, maxListed));
}

/** What lasts as long as the last of its values. */
function lasting(ends: Ends): { readonly content: Ends; readonly endsAt: number } {
  const all = Object.values(ends);
  return { content: ends, endsAt: all.includes(0) ? Infinity : Math.max(0, ...all) };
}

/** Values without an end are kept for a hundred years: everything in a backplane expires. */
function timeUntil(endsAt: number): number {
  return Math.min(Math.max(1, endsAt - Date.now()), 3e12);
}

function isStoredValue(content: unknown): content is StoredValue {
  if (!isObject(content) || !isText(content["value"])) return false;
  const { group } = content;
  return group === undefined || (Array.isArray(group) && group.length === 2 && group.every(isText));
}

function isGroup(content: unknown): content is Group {
  return isObject(content) && isText(content["epoch"]) && isEnds(content["ends"]);
}

function isEnds(content: unknown): content is Ends {
  return isObject(content) && Object.values(content).every((end) => typeof end === "number");
}

function isText(part: unknown): part is string {
  return typeof part === "string";
}

function conflict(what: string): () => ProxyStoreError {
  return () => new ProxyStoreError("busy", `cannot ${what}: other changes were faster, again and again; try again`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
