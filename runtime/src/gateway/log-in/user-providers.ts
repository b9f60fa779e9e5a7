import type { UserProvider, UserProviderEvents } from "./user-provider.js";

/** How many are kept in memory. Those of connections are in use, so that they are not the ones that are dropped. */
const maxProviders = 1_000;
/** How many users are known not to have logged in. */
const maxMissing = 10_000;
/** How long that is believed without a request to the server. */
const missingMs = 60_000;

/** The providers of the users of one server: caches over the store. */
export class UserProviders {
  /** Those that were used last are at the end. */
  readonly #providers = new Map<string, UserProvider>();
  /** When the server refused a request of a user without a log-in, in milliseconds since 1970. */
  readonly #missing = new Map<string, number>();

  constructor(readonly create: (user: string, events: UserProviderEvents) => UserProvider) {}

  of(user: string): UserProvider {
    const known = this.#providers.get(user);
    const provider =
      known ?? this.create(user, { used: () => this.#used(user), missing: () => this.#setMissing(user) });
    if (!known) this.#providers.set(user, provider);
    this.#used(user);
    const [oldest] = this.#providers.keys();
    if (this.#providers.size > maxProviders && oldest !== undefined) this.#providers.delete(oldest);
    return provider;
  }

  /** Since when a user is known not to have logged in; undefined when that is not known. */
  missingSince(user: string): number | undefined {
    const since = this.#missing.get(user);
    if (since === undefined || since > Date.now() - missingMs) return since;
    this.#missing.delete(user);
    return undefined;
  }

  loggedIn(user: string): void {
    this.#missing.delete(user);
  }

  #used(user: string): void {
    const provider = this.#providers.get(user);
    if (!provider) return;
    this.#providers.delete(user);
    this.#providers.set(user, provider);
  }

  #setMissing(user: string): void {
    this.#missing.delete(user);
    this.#missing.set(user, Date.now());
    const [oldest] = this.#missing.keys();
    if (this.#missing.size > maxMissing && oldest !== undefined) this.#missing.delete(oldest);
  }
}
