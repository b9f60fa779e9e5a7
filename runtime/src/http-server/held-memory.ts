import type { ClientKey, SharedLimit } from "./shared-limit.js";

/** The estimated memory that one session takes of the limit of its endpoint, in bytes. */
export class HeldMemory {
  #bytes = 0;
  #isReleased = false;

  constructor(
    readonly limit: SharedLimit,
    readonly client: ClientKey,
  ) {}

  /** Adds memory, even beyond the limit. @param bytes negative for what is given back */
  add(bytes: number): void {
    // Handlers can outlive the session.
    if (this.#isReleased) return;
    this.#bytes += bytes;
    this.limit.add(this.client, bytes);
  }

  /** Adds memory if there is room. Returns whether there was. */
  reserve(bytes: number): boolean {
    if (bytes > 0 && !this.limit.hasRoom(this.client, bytes)) return false;
    this.add(bytes);
    return true;
  }

  /** Gives everything back, when the session ends. */
  release(): void {
    this.add(-this.#bytes);
    this.#isReleased = true;
  }
}
