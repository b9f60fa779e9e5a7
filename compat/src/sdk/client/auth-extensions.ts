import * as modern from "../../client/auth/credentials-providers.js";
import type { StoredOAuthClientInformation } from "../../shared/oauth-types.js";

export { createPrivateKeyJwtAuth } from "../../client/auth/private-key-jwt.js";
export type {
  ClientCredentialsProviderOptions,
  PrivateKeyJwtProviderOptions,
  StaticPrivateKeyJwtProviderOptions,
} from "../../client/auth/credentials-providers.js";

/** Logs in with the secret of the client (RFC 6749, section 4.4). */
export class ClientCredentialsProvider extends modern.ClientCredentialsProvider {
  saveClientInformation(info: StoredOAuthClientInformation): void {
    this.client = info;
  }
}

/** Logs in with an assertion that the key of the client signs (RFC 7523). */
export class PrivateKeyJwtProvider extends modern.PrivateKeyJwtProvider {
  saveClientInformation(info: StoredOAuthClientInformation): void {
    this.client = info;
  }
}

/** Logs in with an assertion that was signed elsewhere. */
export class StaticPrivateKeyJwtProvider extends modern.StaticPrivateKeyJwtProvider {
  saveClientInformation(info: StoredOAuthClientInformation): void {
    this.client = info;
  }
}
