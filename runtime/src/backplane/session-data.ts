import type { SessionData, SessionValues } from "../http-server/session-data.js";
import { isObject } from "../jsonrpc/guards.js";
import { BackplaneError } from "./backplane-error.js";
import type { MaybePromise, StoredValue, ValueStore } from "./backplane-store.js";

/** How often a change is tried while other nodes are faster. */
const maxAttempts = 20;
/** The longest pause after the first attempt, in milliseconds; after each further one, it is that much longer. */
const pauseMs = 5;

/**
 * How much longer the data is kept than its session is idle: other nodes may have extended the session, but not the data, since it was used.
 * They extend both when an eighth of the time has passed.
 */
const slack = 1.125;

/** Keeps the data of a session in one value, for all nodes. */
export class SharedSessionData implements SessionData {
  readonly #key: string;
  readonly #ttlMs: number;
  /** Settles when the changes so far are done. */
  #changing: Promise<unknown> = Promise.resolve();

  /** @param idleMs milliseconds after which the session ends unless it is used */
  constructor(
    readonly store: ValueStore,
    readonly sessionId: string,
    idleMs: number,
  ) {
    this.#key = keyOf(sessionId);
    this.#ttlMs = Math.ceil(idleMs * slack);
  }

  async read(): Promise<SessionValues> {
    const [stored] = await Promise.all([this.store.get(this.#key), this.store.extend(this.#key, this.#ttlMs)]);
    return this.#parse(stored);
  }

  change(change: (values: SessionValues) => string | undefined): Promise<void> {
    // One change of this node at a time: of several, the backplane would reject all but one.
    const changed = this.#changing.then(() => this.#change(change));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #change(change: (values: SessionValues) => string | undefined): Promise<void> {
    const ttlMs = this.#ttlMs;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const stored = await this.store.get(this.#key);
      const text = change(this.#parse(stored));
      if (text === undefined) {
        if (stored) await this.store.extend(this.#key, ttlMs);
        return;
      }
      const version = await this.store.set(this.#key, text, { ttlMs, ifVersion: stored?.version ?? null });
      if (version !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * attempt));
    }
    throw new BackplaneError(
      "conflict",
      `the data of session ${this.sessionId} was not changed: other nodes changed it during each of ${maxAttempts} attempts`,
    );
  }

  #parse(stored: StoredValue | undefined): SessionValues {
    if (!stored) return {};
    let values: unknown;
    try {
      values = JSON.parse(stored.text);
    } catch {
      // Not JSON, so not ours either.
    }
    if (isObject(values)) return values;
    throw new BackplaneError(
      "unreadable",
      `the value ${this.#key} is not the data of a session; another program wrote it`,
    );
  }
}

/** Keeps the data of a session for `ttlMs` from now on, if there is any. @throws BackplaneError */
export function extendSessionData(store: ValueStore, sessionId: string, ttlMs: number): MaybePromise<boolean> {
  return store.extend(keyOf(sessionId), ttlMs);
}

/** Deletes the data of a session. @throws BackplaneError */
export function deleteSessionData(store: ValueStore, sessionId: string): MaybePromise<boolean> {
  return store.delete(keyOf(sessionId));
}

function keyOf(sessionId: string): string {
  return `session-data:${sessionId}`;
}
