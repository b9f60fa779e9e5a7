import type { CryptoKey } from "jose";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { InvalidTokenError } from "../token-errors.js";
import { CachedDocument } from "./cached-document.js";
import { fetchIssuerDocument, IssuerDocumentError } from "./issuer-document.js";
import { findIssuerMetadata, type IssuerMetadata, metadataUrl } from "./issuer-metadata.js";
import { PublicKeys, type WantedKey } from "./public-keys.js";

export interface IssuerKeysOptions {
  readonly fetch: FetchLike;
  readonly maxDocumentBytes: number;
  readonly timeoutMs: number;
  readonly cooldownMs: number;
  readonly keysMaxAgeMs: number;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Finds the public keys of one issuer. */
export interface KeySource {
  /**
   * @returns at least one key
   * @throws InvalidTokenError `unknown-key`, `algorithm`
   * @throws TokenVerificationError when the keys cannot be requested, and the ones in memory do not contain the key
   */
  find(wanted: WantedKey, signal: AbortSignal | undefined): Promise<readonly CryptoKey[]>;
}

/** Keys that never change. */
export class FixedKeys implements KeySource {
  constructor(readonly keys: PublicKeys) {}

  async find(wanted: WantedKey): Promise<readonly CryptoKey[]> {
    return requireKeys(await this.keys.find(wanted));
  }
}

/** Milliseconds after which the metadata of an issuer is requested again. */
const metadataMaxAgeMs = 3_600_000;

/** The keys that an issuer publishes: requested at first use, when they are old, and for an unknown `kid`. */
export class IssuerKeys implements KeySource {
  readonly #keys: CachedDocument<PublicKeys>;

  /** @param keysUrl where the keys are. Default: where the metadata of the issuer says */
  constructor(issuer: string, options: IssuerKeysOptions, keysUrl?: URL) {
    const { fetch, maxDocumentBytes: maxBytes, timeoutMs, cooldownMs, keysMaxAgeMs, onerror } = options;
    const metadata = new CachedDocument<IssuerMetadata>(
      (signal) => findIssuerMetadata(issuer, { fetch, maxBytes, signal }),
      { what: `The metadata of the issuer ${issuer}`, maxAgeMs: metadataMaxAgeMs, cooldownMs, timeoutMs, onerror },
    );
    const load = async (signal: AbortSignal): Promise<PublicKeys> => {
      const url = keysUrl ?? metadataUrl(await metadata.get(signal), "jwks_uri");
      try {
        const document = await fetchIssuerDocument(url, { fetch, maxBytes, signal });
        if (Array.isArray(document["keys"])) return new PublicKeys(document);
        throw new IssuerDocumentError(`GET ${url.origin}${url.pathname}: the document has no list of keys`, false);
      } catch (error) {
        // The keys may have moved.
        metadata.expire();
        throw error;
      }
    };
    const what = `The keys of the issuer ${issuer}`;
    this.#keys = new CachedDocument(load, { what, maxAgeMs: keysMaxAgeMs, cooldownMs, timeoutMs, onerror });
  }

  async find(wanted: WantedKey, signal: AbortSignal | undefined): Promise<readonly CryptoKey[]> {
    const found = await (await this.#keys.get(signal)).find(wanted);
    if (found.length > 0) return found;
    // The issuer may have new keys.
    const newer = await (await this.#keys.newer(signal)).find(wanted);
    const { failure } = this.#keys;
    if (newer.length === 0 && failure) throw failure;
    return requireKeys(newer);
  }
}

function requireKeys(keys: readonly CryptoKey[]): readonly CryptoKey[] {
  if (keys.length > 0) return keys;
  throw new InvalidTokenError("unknown-key", "the issuer has no key with the kid and algorithm of the token");
}
