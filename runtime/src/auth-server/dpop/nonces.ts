import { base64url } from "jose";
import { SdkError } from "../../jsonrpc/errors.js";
import type { DpopNonceOptions } from "./dpop-options.js";

const minSecretLength = 32;
const defaultLifetimeSeconds = 300;

let processSecret: Uint8Array<ArrayBuffer> | undefined;

/** Some hosts do not provide random numbers before the first request. */
function secretOfProcess(): Uint8Array<ArrayBuffer> {
  return (processSecret ??= crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The nonces that proofs must contain (RFC 9449, section 9). Nothing is stored: a nonce is the HMAC over the number of the time slot
 * in which it is the newest. All clients of a slot get the same one.
 */
export class DpopNonces {
  readonly #secret: string | undefined;
  readonly #slotMs: number;
  readonly #resource: string;
  #key: Promise<CryptoKey> | undefined;
  /** The nonces of the previous, the current and the next slot. */
  readonly #nonces = new Map<number, string>();

  /** @throws SdkError `INVALID_CONFIGURATION` when the secret is too short, or the lifetime is not a positive number */
  constructor(options: DpopNonceOptions | undefined, resource: URL) {
    const { secret, lifetimeSeconds = defaultLifetimeSeconds } = options ?? {};
    if (options && (typeof secret !== "string" || secret.length < minSecretLength))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `dpop.nonces.secret must be a random string of at least ${minSecretLength} characters`,
      );
    if (!(lifetimeSeconds > 0 && lifetimeSeconds < Infinity))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `dpop.nonces.lifetimeSeconds must be more than 0 and finite, not ${lifetimeSeconds}`,
      );
    this.#secret = secret;
    this.#slotMs = lifetimeSeconds * 1_000;
    this.#resource = resource.href;
  }

  /** Returns the newest nonce; a promise only until it has been computed. */
  newest(): string | Promise<string> {
    const slot = this.#slot();
    return this.#nonces.get(slot) ?? this.#compute(slot);
  }

  /** Whether a nonce is accepted: that of the current or the previous slot, or of the next one, from a node whose clock is ahead. */
  async accepts(nonce: string): Promise<boolean> {
    const slot = this.#slot();
    if (nonce === this.#nonces.get(slot)) return true;
    for (const other of [slot, slot - 1, slot + 1])
      if (nonce === (this.#nonces.get(other) ?? (await this.#compute(other)))) return true;
    return false;
  }

  #slot(): number {
    return Math.floor(Date.now() / this.#slotMs);
  }

  async #compute(slot: number): Promise<string> {
    const text = new TextEncoder().encode(`${slot} ${this.#resource}`);
    const mac = await crypto.subtle.sign("HMAC", await (this.#key ??= this.#import()), text);
    const nonce = base64url.encode(new Uint8Array(mac).subarray(0, 18));
    const current = this.#slot();
    if (Math.abs(slot - current) <= 1) this.#nonces.set(slot, nonce);
    for (const known of this.#nonces.keys()) if (Math.abs(known - current) > 1) this.#nonces.delete(known);
    return nonce;
  }

  #import(): Promise<CryptoKey> {
    const secret = this.#secret === undefined ? secretOfProcess() : new TextEncoder().encode(this.#secret);
    return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }
}
