import type { SessionChange, SessionRecord } from "../http-server/session-record.js";
import { isObject } from "../jsonrpc/guards.js";
import { BackplaneError } from "./backplane-error.js";
import type { ValueStore } from "./backplane-store.js";
import { deleteSessionData, extendSessionData } from "./session-data.js";
import { untilChanged } from "./until-changed.js";

/** The version of the format: nodes of another version do not read the record. */
const format = 1;

/** The record of a session, as it is stored. */
export interface StoredSession extends SessionRecord {
  /** The id of the change of a list or resource that was the newest when the session was opened. */
  readonly changesAfter?: string | undefined;
  /** The version of the value. */
  readonly version: string;
}

/** A session that another node may have opened. */
export interface FoundSession extends StoredSession {
  /** Whether a client reads messages that belong to no request, at any node. */
  readonly isListening: boolean;
}

/** Keeps the records of the sessions of all nodes. Methods reject with a `BackplaneError`. */
export class SessionRecords {
  constructor(readonly values: ValueStore) {}

  /** @param known the record, as far as this node knows it: if it is the stored one, it is returned */
  async find(id: string, known?: StoredSession): Promise<StoredSession | undefined> {
    const value = await this.values.get(keyOf(id));
    if (known && value?.version === known.version) return known;
    return value && { ...parse(id, value.text), version: value.version };
  }

  /** Keeps the record of a new session. */
  async create(id: string, session: Omit<StoredSession, "version">, ttlMs: number): Promise<StoredSession> {
    const version = await this.values.set(keyOf(id), print(session), { ttlMs, ifVersion: null });
    if (version === undefined) throw new BackplaneError("unreadable", `there is a session ${id} already`);
    return { ...session, version };
  }

  /**
   * Applies a change to the newest version of a record.
   * @param known the record, as far as this node knows it
   * @returns the record after it; undefined when the session has ended
   */
  async change(
    id: string,
    change: SessionChange,
    known: StoredSession | undefined,
    ttlMs: number,
  ): Promise<StoredSession | undefined> {
    let newest = known;
    const { record } = await untilChanged(`session ${id}`, async () => {
      const current = newest ?? (await this.find(id));
      if (!current) return { record: undefined };
      const session = changed(current, change);
      const version = await this.values.set(keyOf(id), print(session), { ttlMs, ifVersion: current.version });
      if (version !== undefined) return { record: { ...session, version } };
      newest = undefined;
      return undefined;
    });
    return record;
  }

  /** Keeps a session, with the data of handlers, for `ttlMs` from now on. Returns false when it has ended. */
  async keep(id: string, ttlMs: number): Promise<boolean> {
    const [isKept] = await Promise.all([
      this.values.extend(keyOf(id), ttlMs),
      extendSessionData(this.values, id, ttlMs),
    ]);
    return isKept;
  }

  /** Deletes a session, with the data of handlers. */
  async delete(id: string): Promise<void> {
    await Promise.all([this.values.delete(keyOf(id)), deleteSessionData(this.values, id)]);
  }
}

function keyOf(id: string): string {
  return `session:${id}`;
}

function changed(session: StoredSession, change: SessionChange): StoredSession {
  const { subscriptions } = session;
  if ("subscribe" in change) return { ...session, subscriptions: [...new Set(subscriptions).add(change.subscribe)] };
  if ("unsubscribe" in change)
    return { ...session, subscriptions: subscriptions.filter((uri) => uri !== change.unsubscribe) };
  return { ...session, ...change };
}

function print(session: Omit<StoredSession, "version">): string {
  return JSON.stringify({ format, ...session, version: undefined, isListening: undefined });
}

function parse(id: string, text: string): SessionRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error below explains it.
  }
  if (isObject(value) && value["format"] === format) return value as unknown as SessionRecord;
  throw new BackplaneError(
    "unreadable",
    `session ${id} was not written by this version; use another prefix for other versions and applications`,
  );
}
