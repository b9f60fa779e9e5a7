import { SdkError } from "../jsonrpc/errors.js";

const minSecretLength = 32;
const version = "1";
const ivBytes = 12;
const text = new TextEncoder();

/**
 * Encrypts and authenticates the values of a store with AES-256-GCM (NIST SP 800-38D). The keys of each kind are derived from the
 * secrets with HKDF (RFC 5869). Kind and id are authenticated with the value, so that a value opens only in the row that it was sealed for.
 *
 * The first secret seals; all of them open. To replace a secret, put the new one first, and remove the old one when no value is left
 * that was sealed with it.
 */
export class Sealer {
  readonly #secrets: readonly string[];
  readonly #report: (error: Error) => void;
  /** Of each secret, by kind. Kinds are few. */
  readonly #keys = new Map<string, Promise<CryptoKey>>();

  /**
   * @param report receives an error for each value that does not open: it was changed, or sealed with another secret
   * @throws SdkError `INVALID_CONFIGURATION` when there is no secret, or a secret has fewer than 32 characters
   */
  constructor(secrets: readonly string[], report: (error: Error) => void = () => undefined) {
    const given: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
    if (given.length === 0)
      throw new SdkError("INVALID_CONFIGURATION", "secrets must be a list with at least one secret");
    for (const [index, secret] of given.entries())
      if (typeof secret !== "string" || secret.length < minSecretLength)
        throw new SdkError(
          "INVALID_CONFIGURATION",
          `secrets[${index}] must be a string of at least ${minSecretLength} random characters: create one with \`openssl rand -base64 48\``,
        );
    this.#secrets = [...secrets];
    this.#report = report;
  }

  async seal(kind: string, id: string, plain: string): Promise<string> {
    const key = await this.#keyOf(0, kind);
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: rowName(kind, id) },
      key,
      text.encode(plain),
    );
    return `${version}.${Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url")}`;
  }

  /** @returns undefined when the value was changed, or sealed for another id or with another secret */
  async open(kind: string, id: string, sealed: string): Promise<string | undefined> {
    const [found, encoded = ""] = sealed.split(".", 2);
    const bytes = new Uint8Array(Buffer.from(encoded, "base64url"));
    if (found === version && bytes.length > ivBytes)
      for (const index of this.#secrets.keys()) {
        const plain = await decrypt(await this.#keyOf(index, kind), bytes, rowName(kind, id));
        if (plain !== undefined) return plain;
      }
    this.#report(
      new SdkError(
        "STORE_FAILED",
        `a stored value of the kind ${kind} cannot be opened: it was changed, or sealed with a secret that is not among \`secrets\``,
      ),
    );
    return undefined;
  }

  #keyOf(index: number, kind: string): Promise<CryptoKey> {
    const name = `${index} ${kind}`;
    const key = this.#keys.get(name) ?? deriveKey(this.#secrets[index] ?? "", kind);
    this.#keys.set(name, key);
    return key;
  }
}

async function deriveKey(secret: string, kind: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", text.encode(secret), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: text.encode(`mcpwright proxy ${kind}`) },
    base,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

async function decrypt(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  additionalData: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const iv = bytes.subarray(0, ivBytes);
  try {
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, bytes.subarray(ivBytes));
    return new TextDecoder().decode(plain);
  } catch {
    // Another secret may fit; the caller reports a value that none opens.
    return undefined;
  }
}

/** The lengths keep two rows from having the same name. */
function rowName(kind: string, id: string): Uint8Array<ArrayBuffer> {
  return text.encode(`${kind.length} ${kind} ${id}`);
}
