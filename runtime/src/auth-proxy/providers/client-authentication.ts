import { importJWK, importPKCS8, type JWK } from "jose";
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, PrivateKeyJwt } from "oauth4webapi";
import { SdkError } from "../../jsonrpc/errors.js";

/** A private key, and how it signs. */
export interface ProviderKey {
  /** A private JWK, PKCS#8 as PEM text, or a `CryptoKey` that may sign. */
  readonly key: JsonWebKey | string | CryptoKey;
  /** The JWS algorithm, such as `ES256` or `RS256`. */
  readonly algorithm: string;
  /** The `kid` under which the provider knows the public key. */
  readonly keyId?: string;
}

/** Authenticates the proxy at the token endpoint of the provider. */
export class ProviderAuthentication {
  readonly #secret: string | undefined;
  readonly #key: ProviderKey | undefined;
  #imported: Promise<CryptoKey> | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` unless there is either a secret or a key */
  constructor(provider: string, options: { readonly clientSecret?: string; readonly privateKey?: ProviderKey }) {
    const { clientSecret, privateKey } = options;
    if (clientSecret !== undefined && (typeof clientSecret !== "string" || clientSecret === ""))
      throw new SdkError("INVALID_CONFIGURATION", `${provider}: clientSecret must be a non-empty string`);
    if ((clientSecret === undefined) === (privateKey === undefined))
      throw new SdkError("INVALID_CONFIGURATION", `${provider}: pass either clientSecret or privateKey`);
    this.#secret = clientSecret;
    this.#key = privateKey;
  }

  /** @param methods the `token_endpoint_auth_methods_supported` of the provider */
  async choose(methods: readonly string[] | undefined): Promise<ClientAuth> {
    if (this.#secret !== undefined) {
      // Few implementations agree about the characters that HTTP Basic escapes. Without a list, it is the only method (OpenID Connect
      // Discovery 1.0, section 3).
      return (methods?.includes("client_secret_post") ? ClientSecretPost : ClientSecretBasic)(this.#secret);
    }
    this.#imported ??= importKey(this.#key);
    const kid = this.#key?.keyId;
    return PrivateKeyJwt({ key: await this.#imported, ...(kid !== undefined && { kid }) });
  }

  /** What no message may show. */
  get secrets(): readonly string[] {
    return this.#secret === undefined ? [] : [this.#secret];
  }
}

async function importKey(given: ProviderKey | undefined): Promise<CryptoKey> {
  const { key, algorithm } = Object(given) as ProviderKey;
  try {
    if (typeof key === "string") return await importPKCS8(key, algorithm);
    if (Object.prototype.toString.call(key) === "[object CryptoKey]") return key as CryptoKey;
    const imported = await importJWK(key as JWK, algorithm);
    if (!(imported instanceof Uint8Array) && imported.type === "private") return imported;
  } catch {
    // The error of the library may contain the key.
  }
  throw new SdkError(
    "INVALID_CONFIGURATION",
    `privateKey cannot be read: key must be a private JWK, PKCS#8 as PEM text, or a CryptoKey, and fit the algorithm ${algorithm}`,
  );
}
