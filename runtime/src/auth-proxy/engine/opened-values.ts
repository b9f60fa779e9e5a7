import type { AdapterPayload } from "oidc-provider";
import { GenerationCache } from "../../collections/generation-cache.js";

/** Most values that are remembered. */
const limit = 2_000;

interface Opened {
  readonly sealed: string;
  readonly payload: AdapterPayload;
}

/** Remembers values that were decrypted: a token is looked up with each request, and decrypting costs more than reading it. */
export class OpenedValues {
  readonly #values = new GenerationCache<Opened>(limit);

  /** @returns the value, if the store still contains the same text */
  get(key: string, sealed: string): AdapterPayload | undefined {
    const found = this.#values.get(key);
    return found?.sealed === sealed ? found.payload : undefined;
  }

  set(key: string, sealed: string, payload: AdapterPayload): void {
    this.#values.set(key, { sealed, payload });
  }
}
