import type { Limits } from "../connection/limits.js";
import type { ServerNode } from "../http-server/server-backplane.js";
import type { Transport } from "../transport/transport.js";

declare const valueType: unique symbol;

/** A key of any value of `session.store`. */
export interface AnySessionKey {
  readonly name: string;
  /** Opens the store of a session. @internal */
  readonly openStore: (host: SessionHost | undefined) => SessionStore;
}

/** Names a value of `session.store`, and carries its type. */
export interface SessionKey<Value> extends AnySessionKey {
  /** Exists as a type only. */
  readonly [valueType]?: (value: Value) => Value;
}

/**
 * Data that handlers keep for a handshake-era session. It is kept as long as the session: in the memory of this process, or, for sessions
 * over HTTP of a server with a `backplane`, in the backplane, so that every node has it.
 *
 * Values are JSON. They are copied when they are written and when they are read, so a change of a value that was read changes nothing;
 * use `update`. All values of a session together are at most `limits.sessionDataLength` characters of JSON text.
 *
 * The methods throw a TypeError when the key was not created with `sessionKey`, and reject with a `BackplaneError` when the backplane
 * fails.
 * @example
 * ```ts
 * const cart = sessionKey<readonly string[]>("cart");
 *
 * server.registerTool("add", { inputSchema: z.object({ item: z.string() }) }, async ({ item }, { session }) => {
 *   const items = await session?.store.update(cart, (before = []) => [...before, item]);
 *   return { content: [{ type: "text", text: `${items?.length ?? 0} items` }] };
 * });
 * ```
 */
export interface SessionStore {
  /** Returns a copy of a value; undefined when there is none. */
  get<Value>(key: SessionKey<Value>): Promise<Value | undefined>;
  /**
   * Sets a value. To set one that depends on the value before, use `update`.
   * @throws TypeError (a rejection) when the value is not JSON
   * @throws SdkError `LIMIT_EXCEEDED` (a rejection) when there is no room for it
   */
  set<Value>(key: SessionKey<Value>, value: Value): Promise<void>;
  /**
   * Changes a value in one step, also when other requests or nodes change it at the same time.
   * @param change receives a copy of the value, and returns the new one; undefined deletes it. It is called again when another node
   *   was faster, so it must have no side effects. An error that it throws rejects the promise, and nothing changes
   * @returns a promise of the new value
   * @throws as `set`
   */
  update<Value>(
    key: SessionKey<Value>,
    change: (value: Value | undefined) => Value | undefined,
  ): Promise<Value | undefined>;
  /** Deletes a value. Resolves to whether there was one. */
  delete(key: AnySessionKey): Promise<boolean>;
}

/** The connection of a session, as far as its store needs it. */
export interface SessionHost {
  readonly transport: Pick<Transport, "sessionId" | "idleMs" | "reserve">;
  readonly server: { readonly node: ServerNode | undefined; readonly options: { readonly limits?: Partial<Limits> } };
}

/** Opens the store with the first key. The code comes with the key, so programs without keys do not contain it. */
export class KeyedSessionStore implements SessionStore {
  #opened: SessionStore | undefined;

  constructor(readonly host: SessionHost | undefined) {}

  get<Value>(key: SessionKey<Value>): Promise<Value | undefined> {
    return this.#open(key).get(key);
  }

  set<Value>(key: SessionKey<Value>, value: Value): Promise<void> {
    return this.#open(key).set(key, value);
  }

  update<Value>(
    key: SessionKey<Value>,
    change: (value: Value | undefined) => Value | undefined,
  ): Promise<Value | undefined> {
    return this.#open(key).update(key, change);
  }

  delete(key: AnySessionKey): Promise<boolean> {
    return this.#open(key).delete(key);
  }

  #open(key: AnySessionKey): SessionStore {
    if (typeof (key as Partial<AnySessionKey> | undefined)?.openStore === "function")
      return (this.#opened ??= key.openStore(this.host));
    throw new TypeError('session.store: the key must be one that sessionKey("name") has returned');
  }
}
