/** A value, or a promise of it: a backplane in memory responds at once. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** A text that is kept under a key. */
export interface StoredValue {
  readonly text: string;
  /** Different after each change. A key that was deleted, or has expired, never gets an earlier version again. */
  readonly version: string;
}

export interface SetOptions {
  /** Milliseconds that the value is kept, unless it is set or extended again. */
  readonly ttlMs: number;
  /** Sets the value only if the stored one has this version; null: only if there is none. Default: in any case. */
  readonly ifVersion?: string | null;
}

export interface AppendOptions {
  /** Milliseconds that the log is kept after its last entry. */
  readonly ttlMs: number;
  /** The most entries. Beyond it, the oldest are dropped. A backplane may keep a few more. */
  readonly maxEntries: number;
}

/** An entry of a log. */
export interface LogEntry {
  /** Unique in the log, also after the log was dropped and written again: visible ASCII without `_`, at most 64 characters. */
  readonly id: string;
  readonly text: string;
}

export interface ReadOptions {
  /** The id of the entry after which to read. Default: from the oldest entry. */
  readonly after?: string | undefined;
  /** The most entries to return. */
  readonly limit: number;
}

/** Entries of a log, in the order in which they were appended. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /**
   * Whether entries after `after` are missing before the first of these: they were dropped, have expired or were lost, or there is no
   * entry `after`. The entries begin with the oldest one then, or with the oldest one that was not there when `after` was appended.
   * False without `after`.
   */
  readonly hasGap: boolean;
}

/** Receives the messages of a channel. */
export interface ChannelSubscriber {
  onMessage(text: string): void;
  /** Called when messages may have been lost, because the connection to the backplane was interrupted. */
  onGap(): void;
}

/** Values with expiry. */
export interface ValueStore {
  get(key: string): MaybePromise<StoredValue | undefined>;
  /** Sets a value. Returns its version; undefined when the stored value does not have `ifVersion`. */
  set(key: string, text: string, options: SetOptions): MaybePromise<string | undefined>;
  /** Keeps a value for `ttlMs` from now on, without a change of its version. Returns false when there is none. */
  extend(key: string, ttlMs: number): MaybePromise<boolean>;
  /** Deletes a value; with `ifVersion`, only one of this version. Returns whether it was deleted. */
  delete(key: string, ifVersion?: string): MaybePromise<boolean>;
}

/** Bounded logs. */
export interface LogStore {
  /** Appends an entry. Returns its id. */
  append(log: string, text: string, options: AppendOptions): MaybePromise<string>;
  read(log: string, options: ReadOptions): MaybePromise<LogPage>;
  /** Removes a log with all its entries. Returns false when there is none. */
  drop(log: string): MaybePromise<boolean>;
}

/** Messages between nodes. */
export interface Channels {
  publish(channel: string, text: string): MaybePromise<void>;
  /**
   * Subscribes to a channel: messages that are published after the promise has resolved arrive.
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, subscriber: ChannelSubscriber): MaybePromise<() => void>;
}
