import type { ClientKey, SharedLimit } from "./shared-limit.js";

/** The estimated memory that one session takes of the limit of its endpoint, in bytes. */
export class HeldMemory {
  #bytes = 0;

  constructor(
    readonly limit: SharedLimit,
    readonly client: ClientKey,
  ) {}

  /** Adds memory, even beyond the limit. @param bytes negative for what is given back */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.limit.add(this.client, bytes);
  }

  /** Adds memory if there is room. Returns whether there was. */
  reserve(bytes: number): boolean {
    if (bytes > 0 && !this.limit.hasRoom(this.client, bytes)) return false;
    this.add(bytes);
    return true;
  }

  /** Gives everything back. */
  release(): void {
    this.add(-this.#bytes);
  }
}
