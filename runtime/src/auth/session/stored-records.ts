import { reasonOf } from "../../http-client/http-error.js";
import { isObject } from "../../jsonrpc/guards.js";
import { AuthorizationError } from "../auth-errors.js";
import type { CredentialStore } from "../credential-store.js";
import { cleanErrorText } from "../error-text.js";

const maxReported = 100;

/** A kind of record: its key begins with `name`; `isValid` checks what was stored. */
export interface RecordKind<Value> {
  readonly name: string;
  readonly isValid: (value: unknown) => value is Value;
}

/** The records of a `CredentialStore`: JSON texts that are checked when they are read. */
export class StoredRecords {
  /** The keys of records that are not valid. */
  readonly #reported = new Set<string>();

  /** @param onerror receives records that are not valid; they count as absent */
  constructor(
    readonly store: CredentialStore,
    readonly onerror?: (error: Error) => void,
  ) {}

  /**
   * Returns the record; undefined when there is none, or when it is not valid.
   * @param names what the record belongs to, such as an issuer and the URL of an MCP server
   * @throws AuthorizationError `store-failed`
   */
  async read<Value>(kind: RecordKind<Value>, ...names: readonly string[]): Promise<Value | undefined> {
    const key = keyOf(kind, names);
    const text: unknown = await this.#call("read", kind, names, [], () => this.store.get(key));
    // A store of the user may return null.
    if (text === undefined || text === null) return undefined;
    const value = typeof text === "string" ? parsed(text) : undefined;
    if (kind.isValid(value)) return value;
    // Each attempt to get tokens reads the records again.
    if (this.#reported.has(key)) return undefined;
    if (this.#reported.size < maxReported) this.#reported.add(key);
    this.onerror?.(
      new AuthorizationError(
        "store-failed",
        `The record "${describe(kind, names)}" in the credential store is not valid; it is ignored, and replaced at the next log-in`,
      ),
    );
    return undefined;
  }

  /** @throws AuthorizationError `store-failed` */
  async write<Value>(kind: RecordKind<Value>, names: readonly string[], value: Value): Promise<void> {
    const key = keyOf(kind, names);
    const text = JSON.stringify(value);
    this.#reported.delete(key);
    await this.#call("write", kind, names, [text, ...secretsOf(value)], () => this.store.set(key, text));
  }

  /** @throws AuthorizationError `store-failed` */
  async delete(kind: RecordKind<unknown>, ...names: readonly string[]): Promise<void> {
    const key = keyOf(kind, names);
    await this.#call("delete", kind, names, [], () => this.store.delete(key));
  }

  /**
   * Runs `work` while no other user of the store, in this or another process, runs work on the same record.
   * @throws AuthorizationError `store-failed` when the store cannot lock; the error of `work`
   */
  async locked<Value>(
    kind: RecordKind<unknown>,
    names: readonly string[],
    work: () => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> {
    const { store } = this;
    if (!store.withLock) return work();
    const key = keyOf(kind, names);
    let outcome: Promise<Value> | undefined;
    const run = async (): Promise<void> => {
      outcome = work();
      await outcome.catch(() => undefined);
    };
    try {
      await store.withLock(key, run, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!outcome) throw storeFailed("lock", kind, names, [], error);
      // The work is done; only the lock could not be released.
      this.onerror?.(storeFailed("unlock", kind, names, [], error));
    }
    if (!outcome) throw storeFailed("lock", kind, names, [], new Error("withLock did not run the work"));
    return outcome;
  }

  async #call<Value>(
    what: string,
    kind: RecordKind<unknown>,
    names: readonly string[],
    secrets: readonly string[],
    call: () => Value | PromiseLike<Value>,
  ): Promise<Value> {
    try {
      return await call();
    } catch (error) {
      throw storeFailed(what, kind, names, secrets, error);
    }
  }
}

function keyOf({ name }: RecordKind<unknown>, names: readonly string[]): string {
  return [name, ...names].join(" ");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of a record: all may be secret. */
function secretsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(secretsOf) : [];
}

/** Has no cause: the error of a store may contain what was to be stored. */
function storeFailed(
  what: string,
  kind: RecordKind<unknown>,
  names: readonly string[],
  secrets: readonly string[],
  error: unknown,
): AuthorizationError {
  const hidden = names.map((name) => (isUrl(name) ? name.slice(withoutQuery(name).length) : name));
  const reason = cleanErrorText(reasonOf(error ?? "unknown error"), [...secrets, ...hidden]) ?? "unknown error";
  return new AuthorizationError(
    "store-failed",
    `The credential store could not ${what} "${describe(kind, names)}": ${reason}`,
  );
}

/** The name of a record without what may be secret: the state of a log-in, the query of a URL. */
function describe({ name }: RecordKind<unknown>, names: readonly string[]): string {
  return [name, ...names.filter(isUrl).map(withoutQuery)].join(" ");
}

function isUrl(name: string): boolean {
  return /^https?:/.test(name);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, "");
}
