import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  PrivateKeyJwt,
} from "oauth4webapi";
import { type PrivateKey, SigningKey } from "../../auth/client-identity/signing-key.js";
import { SdkError } from "../../jsonrpc/errors.js";

/** A private key, and how it signs. */
export interface ProviderKey {
  /** A private JWK, PKCS#8 as PEM text, or a `CryptoKey` that may sign. */
  readonly key: PrivateKey;
  /** The JWS algorithm, such as `ES256` or `RS256`. Default: that of the JWK, else the first one that the provider accepts. */
  readonly algorithm?: string;
  /** The `kid` under which the provider knows the public key. Default: that of the JWK. */
  readonly keyId?: string;
}

/** Authenticates the proxy at the token endpoint of the provider. */
export class ProviderAuthentication {
  readonly #secret: string | undefined;
  readonly #key: SigningKey | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` unless there is either a secret or a key */
  constructor(
    readonly provider: string,
    options: { readonly clientSecret?: string; readonly privateKey?: ProviderKey },
  ) {
    const { clientSecret, privateKey } = options;
    if (clientSecret !== undefined && (typeof clientSecret !== "string" || clientSecret === ""))
      throw new SdkError("INVALID_CONFIGURATION", `${provider}: clientSecret must be a non-empty string`);
    if ((clientSecret === undefined) === (privateKey === undefined))
      throw new SdkError("INVALID_CONFIGURATION", `${provider}: pass either clientSecret or privateKey`);
    this.#secret = clientSecret;
    this.#key = privateKey && new SigningKey(privateKey.key, privateKey.algorithm, privateKey.keyId);
  }

  /**
   * @param server the metadata of the provider
   * @throws SdkError `INVALID_CONFIGURATION` when the key cannot be used
   */
  async choose(server: Partial<AuthorizationServer>): Promise<ClientAuth> {
    if (this.#key) {
      const loaded = await this.#key.load(server.token_endpoint_auth_signing_alg_values_supported);
      if (loaded) return PrivateKeyJwt({ key: loaded.key, ...(loaded.kid !== undefined && { kid: loaded.kid }) });
      const problem = "privateKey fits none of the algorithms that the provider accepts";
      throw new SdkError("INVALID_CONFIGURATION", `${this.provider}: ${problem}`);
    }
    // Few implementations agree about the characters that HTTP Basic escapes. Without a list, it is the only method (OpenID Connect
    // Discovery 1.0, section 3).
    const methods = server.token_endpoint_auth_methods_supported;
    return (methods?.includes("client_secret_post") ? ClientSecretPost : ClientSecretBasic)(this.#secret ?? "");
  }

  /** What no message may show. */
  get secrets(): readonly string[] {
    return this.#secret === undefined ? [] : [this.#secret];
  }
}
