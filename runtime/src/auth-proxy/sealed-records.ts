import { isObject } from "../jsonrpc/guards.js";
import type { ProxyStore } from "./proxy-store.js";
import type { Sealer } from "./sealer.js";

/** The records of one kind in the store: JSON objects, encrypted. */
export class SealedRecords<Value extends object> {
  constructor(
    readonly kind: string,
    readonly store: ProxyStore,
    readonly sealer: Sealer,
  ) {}

  async get(id: string): Promise<Value | undefined> {
    return this.#open(id, await this.store.get(this.kind, id));
  }

  /** Returns and deletes a record; only one of several callers gets it. */
  async take(id: string): Promise<Value | undefined> {
    return this.#open(id, await this.store.take(this.kind, id));
  }

  async set(id: string, value: Value, expiresAt: number, group?: string): Promise<void> {
    await this.store.set(this.kind, id, await this.sealer.seal(this.kind, id, JSON.stringify(value)), expiresAt, group);
  }

  async delete(id: string): Promise<void> {
    await this.store.delete(this.kind, id);
  }

  async deleteGroup(group: string): Promise<void> {
    await this.store.deleteGroup(this.kind, group);
  }

  /** A value that does not open was reported by the sealer, and counts as absent. */
  async #open(id: string, sealed: string | undefined): Promise<Value | undefined> {
    const text = sealed === undefined ? undefined : await this.sealer.open(this.kind, id, sealed);
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Value) : undefined;
  }
}
