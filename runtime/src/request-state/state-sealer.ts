import { SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import { fromBase64Url, toBase64Url } from "./base64url.js";

/** A key that seals request states. All hosts that may receive a retry need the same keys. */
export interface StateKey {
  /** 1 to 32 letters, digits, `-` or `_`. It is not secret: each state contains it in plain text. */
  readonly id: string;
  /** 32 random bytes. A key can seal about 2^32 states; replace it long before. */
  readonly key: Uint8Array;
}

interface ImportedKey {
  readonly id: string;
  readonly imported: () => Promise<CryptoKey>;
}

/** The form of sealed states: version, id of the key, and content. */
export const sealedState = /^(v1\.([\w-]+)\.)([\w-]+)$/;

/** The first key seals; all keys open. */
type KeyRing = readonly [ImportedKey, ...ImportedKey[]];

/** Maximum number of characters of a state. */
const maxLength = 16_384;
const nonceLength = 12;
const tagLength = 16;

let processKeys: KeyRing | undefined;

/**
 * Seals the state that a client returns with its retry (MCP, multi round-trip requests: `requestState`), so that the client
 * can neither read nor change it: AES-256-GCM with a random nonce. A state can be opened any number of times; if it must
 * expire or be used only once, the payload must contain the data for that check.
 */
export class StateSealer {
  readonly #keys: KeyRing | undefined;

  /**
   * @param keys the first key seals, all keys open. To replace a key, add the new one as the second on all hosts, then move
   *   it to the front, and remove the old one when its states have expired. Default: a random key of this process, created
   *   on first use and shared by all sealers without keys
   * @throws SdkError `INVALID_CONFIGURATION` for an empty list, malformed or repeated ids, or keys that are not 32
   *   bytes
   */
  constructor(keys?: readonly StateKey[]) {
    this.#keys = keys && keyRing(keys);
  }

  /**
   * Seals a payload.
   * @param payload serialized as JSON
   * @param associated data that the state is bound to but does not contain, such as principal and method
   * @throws SdkError `LIMIT_EXCEEDED` when the state would be longer than 16,384 characters
   */
  async seal(payload: object, associated: string): Promise<string> {
    const [{ id, imported }] = this.#ring();
    const prefix = `v1.${id}.`;
    const plain = new TextEncoder().encode(JSON.stringify(payload));
    const length = prefix.length + Math.ceil(((nonceLength + plain.length + tagLength) * 4) / 3);
    if (length > maxLength)
      throw new SdkError("LIMIT_EXCEEDED", "requestState is too long; keep large data on the server", {
        length,
        maxLength,
      });
    const nonce = crypto.getRandomValues(new Uint8Array(nonceLength));
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, prefix + associated), await imported(), plain);
    return prefix + toBase64Url([...nonce, ...new Uint8Array(sealed)]);
  }

  /**
   * Opens a sealed state.
   * @param associated the same data as for `seal`
   * @returns the payload; undefined, without a reason, when the state cannot be opened
   */
  async open(state: string, associated: string): Promise<object | undefined> {
    if (state.length > maxLength) return undefined;
    const [, prefix, id, text] = sealedState.exec(state) ?? [];
    const key = this.#ring().find((key) => key.id === id);
    const bytes = fromBase64Url(text ?? "");
    if (prefix === undefined || !key || !bytes) return undefined;
    try {
      const plain = await crypto.subtle.decrypt(
        algorithm(bytes.subarray(0, nonceLength), prefix + associated),
        await key.imported(),
        bytes.subarray(nonceLength),
      );
      const payload: unknown = JSON.parse(new TextDecoder().decode(plain));
      return isObject(payload) ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  #ring(): KeyRing {
    // Some hosts do not provide random numbers before the first request.
    return this.#keys ?? (processKeys ??= [importableKey("local", crypto.getRandomValues(new Uint8Array(32)))]);
  }
}

function keyRing(keys: readonly StateKey[]): KeyRing {
  const ids = new Set(keys.map(({ id }) => id));
  const sound = keys.every(({ id, key }) => /^[\w-]{1,32}$/.test(id) && key.length === 32);
  const [first, ...others] = keys.map(({ id, key }) => importableKey(id, key));
  if (!first || !sound || ids.size < keys.length)
    throw new SdkError(
      "INVALID_CONFIGURATION",
      "stateKeys must be a non-empty array of keys with 32 bytes and unique ids of 1 to 32 letters, digits, - or _",
    );
  return [first, ...others];
}

function importableKey(id: string, key: Uint8Array): ImportedKey {
  const bytes = new Uint8Array(key);
  let once: Promise<CryptoKey> | undefined;
  return {
    id,
    imported: () => (once ??= crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])),
  };
}

/** The associated data includes the prefix, so the key id and version of a state cannot be changed. */
function algorithm(iv: Uint8Array<ArrayBuffer>, associated: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(associated) };
}
