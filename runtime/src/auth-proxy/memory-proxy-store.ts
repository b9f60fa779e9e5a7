import { SdkError } from "../jsonrpc/errors.js";
import type { ProxyStore } from "./proxy-store.js";

export interface MemoryProxyStoreOptions {
  /** The most values of one kind. When there are more, the one that was set first is deleted. Default: 20,000. */
  readonly maxValuesPerKind?: number;
}

interface Stored {
  readonly value: string;
  readonly expiresAt: number;
  readonly group: string | undefined;
}

/** The values of one kind, in the order in which they were set. */
interface Kind {
  readonly values: Map<string, Stored>;
  readonly groups: Map<string, Set<string>>;
}

/**
 * Keeps clients, grants, tokens and consents until the process ends: for development, tests, and services of one process whose users
 * may log in again after a restart.
 *
 * Its size is bounded: each kind of value has its own limit, so that a flood of one kind does not delete values of another.
 * @example
 * ```ts
 * const store = new MemoryProxyStore({ maxValuesPerKind: 1_000 });
 * ```
 */
export class MemoryProxyStore implements ProxyStore {
  readonly #kinds = new Map<string, Kind>();
  readonly #limit: number;

  /** @throws SdkError `INVALID_CONFIGURATION` when `maxValuesPerKind` is not a number above 0 */
  constructor({ maxValuesPerKind = 20_000 }: MemoryProxyStoreOptions = {}) {
    if (!(maxValuesPerKind >= 1))
      throw new SdkError("INVALID_CONFIGURATION", `maxValuesPerKind must be 1 or more, not ${maxValuesPerKind}`);
    this.#limit = maxValuesPerKind;
  }

  get(kind: string, id: string): string | undefined {
    return this.#find(kind, id)?.value;
  }

  set(kind: string, id: string, value: string, expiresAt = Infinity, group?: string): void {
    const one = this.#kinds.get(kind) ?? { values: new Map<string, Stored>(), groups: new Map<string, Set<string>>() };
    this.#kinds.set(kind, one);
    remove(one, id);
    if (expiresAt <= Date.now()) return;
    if (one.values.size >= this.#limit) removeExpired(one);
    for (const oldest of one.values.keys()) {
      if (one.values.size < this.#limit) break;
      remove(one, oldest);
    }
    one.values.set(id, { value, expiresAt, group });
    if (group === undefined) return;
    const ids = one.groups.get(group) ?? new Set();
    one.groups.set(group, ids.add(id));
  }

  take(kind: string, id: string): string | undefined {
    const found = this.#find(kind, id);
    this.delete(kind, id);
    return found?.value;
  }

  delete(kind: string, id: string): void {
    const one = this.#kinds.get(kind);
    if (one) remove(one, id);
  }

  deleteGroup(kind: string, group: string): void {
    const one = this.#kinds.get(kind);
    for (const id of [...(one?.groups.get(group) ?? [])]) if (one) remove(one, id);
  }

  count(kind: string): number {
    const one = this.#kinds.get(kind);
    if (!one) return 0;
    removeExpired(one);
    return one.values.size;
  }

  #find(kind: string, id: string): Stored | undefined {
    const one = this.#kinds.get(kind);
    const found = one?.values.get(id);
    if (!one || !found || found.expiresAt > Date.now()) return found;
    remove(one, id);
    return undefined;
  }
}

function remove({ values, groups }: Kind, id: string): void {
  const found = values.get(id);
  if (!found) return;
  values.delete(id);
  if (found.group === undefined) return;
  const ids = groups.get(found.group);
  ids?.delete(id);
  if (ids?.size === 0) groups.delete(found.group);
}

function removeExpired(one: Kind): void {
  const now = Date.now();
  for (const [id, { expiresAt }] of one.values) if (expiresAt <= now) remove(one, id);
}
