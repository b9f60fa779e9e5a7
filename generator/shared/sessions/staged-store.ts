import type { CredentialStore } from "@mcpwright/runtime/auth";

/** Records that a log-in replaces. */
const replaced = /^(tokens|server) /;

/**
 * Hides the tokens of earlier log-ins, and keeps new ones aside until the log-in has succeeded: one that fails or is interrupted
 * leaves the user logged in as before. Registrations are shared with the store below.
 */
export class StagedStore implements CredentialStore {
  /** New values; undefined for deleted ones. */
  readonly #staged = new Map<string, string | undefined>();
  readonly withLock?: NonNullable<CredentialStore["withLock"]>;

  constructor(readonly base: CredentialStore) {
    const withLock = base.withLock?.bind(base);
    if (withLock) this.withLock = withLock;
  }

  /** The record with the new tokens. */
  get tokens(): string | undefined {
    return [...this.#staged].find(([key]) => key.startsWith("tokens "))?.[1];
  }

  get(key: string): ReturnType<CredentialStore["get"]> {
    if (this.#staged.has(key)) return this.#staged.get(key);
    return key.startsWith("tokens ") ? undefined : this.base.get(key);
  }

  async set(key: string, value: string): Promise<void> {
    if (replaced.test(key)) this.#staged.set(key, value);
    else await this.base.set(key, value);
  }

  async delete(key: string): Promise<void> {
    if (replaced.test(key)) this.#staged.set(key, undefined);
    else await this.base.delete(key);
  }

  /** Moves the new records to the store below. */
  async commit(): Promise<void> {
    for (const [key, value] of this.#staged)
      await (value === undefined ? this.base.delete(key) : this.base.set(key, value));
    this.#staged.clear();
  }
}
