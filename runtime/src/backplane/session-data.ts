import type { SessionData, SessionValues } from "../http-server/session-data.js";
import { BackplaneError, conflictError } from "./backplane-error.js";
import type { MaybePromise, StoredValue, ValueStore } from "./backplane-store.js";
import { parseObject } from "./parse-object.js";
import { sessionTtlMs } from "./session-life.js";
import { untilChanged } from "./until-changed.js";

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
    this.#ttlMs = sessionTtlMs(idleMs);
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
    await untilChanged(
      async () => {
        const stored = await this.store.get(this.#key);
        const text = change(this.#parse(stored));
        if (text !== undefined) return this.store.set(this.#key, text, { ttlMs, ifVersion: stored?.version ?? null });
        if (stored) await this.store.extend(this.#key, ttlMs);
        return stored?.version ?? "";
      },
      conflictError(`the data of session ${this.sessionId}`),
    );
  }

  #parse(stored: StoredValue | undefined): SessionValues {
    if (!stored) return {};
    const values = parseObject(stored.text);
    if (values) return values;
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
