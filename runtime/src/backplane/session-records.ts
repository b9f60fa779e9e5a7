import type { SessionChange, SessionRecord } from "../http-server/session-record.js";
import { isObject } from "../jsonrpc/guards.js";
import { BackplaneError, conflictError } from "./backplane-error.js";
import type { ValueStore } from "./backplane-store.js";
import { parseObject } from "./parse-object.js";
import { deleteSessionData, extendSessionData } from "./session-data.js";
import { untilChanged } from "./until-changed.js";

/**
 * The version of the format. Nodes of later versions may add members, which this one keeps; when they change the meaning of known members,
 * they write a higher number, and this node does not serve the session.
 */
const format = 1;

/** The record of a session, as it is stored. */
export interface StoredSession extends SessionRecord {
  /** The name of the server that opened the session. */
  readonly server: string;
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
  /** @param onerror receives what is wrong with a record that this version did not write */
  constructor(
    readonly values: ValueStore,
    readonly onerror: (error: unknown) => void,
  ) {}

  /**
   * Reads a record. One that another program wrote is reported and treated as missing, so that the client opens a new session.
   * @param known the record, as far as this node knows it: if it is the stored one, it is returned
   */
  async find(id: string, known?: StoredSession): Promise<StoredSession | undefined> {
    const value = await this.values.get(keyOf(id));
    if (!value) return undefined;
    if (value.version === known?.version) return known;
    const record = parse(id, value.text);
    if (!record) this.onerror(new BackplaneError("unreadable", notOurs(id)));
    return record && { ...record, version: value.version };
  }

  /** Keeps the record of a new session. */
  async create(id: string, session: Omit<StoredSession, "version">, ttlMs: number): Promise<StoredSession> {
    const version = await this.values.set(keyOf(id), print(session), { ttlMs, ifVersion: null });
    if (version === undefined) throw new BackplaneError("unreadable", `there is a session ${id} already`);
    return { ...session, version };
  }

  /**
   * Applies a change to the newest version of a record, and keeps the session, with the data of handlers, for `ttlMs` from now on.
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
    const { record } = await untilChanged(
      async () => {
        const current = newest ?? (await this.find(id));
        if (!current) return { record: undefined };
        const session = changed(current, change);
        const [version] = await Promise.all([
          this.values.set(keyOf(id), print(session), { ttlMs, ifVersion: current.version }),
          extendSessionData(this.values, id, ttlMs),
        ]);
        if (version !== undefined) return { record: { ...session, version } };
        newest = undefined;
        return undefined;
      },
      conflictError(`session ${id}`),
    );
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

/**
 * Returns undefined when the text is not a record of a session.
 * @throws BackplaneError when a later version has written it
 */
function parse(id: string, text: string): Omit<StoredSession, "version"> | undefined {
  const value = parseObject(text);
  if (typeof value?.["format"] !== "number") return undefined;
  if (value["format"] > format)
    throw new BackplaneError("unreadable", `session ${id} was opened by a later version, whose nodes can serve it`);
  return value["format"] === format && isRecord(value) ? value : undefined;
}

function isRecord(value: object): value is Omit<StoredSession, "version"> {
  const { server, revision, capabilities, advertisedCapabilities, initialized, subscriptions } = value as Partial<
    Record<string, unknown>
  >;
  return (
    typeof server === "string" &&
    typeof revision === "string" &&
    isObject(capabilities) &&
    isObject(advertisedCapabilities) &&
    typeof initialized === "boolean" &&
    Array.isArray(subscriptions)
  );
}

function notOurs(id: string): string {
  return `session ${id} was not written by mcpwright; if another program uses the same keys, choose another prefix`;
}
