import { SdkError } from "../jsonrpc/errors.js";

/** Why a token was not accepted. */
export type InvalidTokenReason =
  /** It is longer than the limit, has the wrong syntax, or is not a token that this verifier knows. */
  | "malformed"
  /** Its algorithm is not among the accepted ones, or does not fit the key. */
  | "algorithm"
  /** No key of the issuer has its `kid`. */
  | "unknown-key"
  /** Its signature does not match. */
  | "signature"
  /** It was issued by another authorization server. */
  | "issuer"
  /** It was issued for another resource. */
  | "audience"
  | "expired"
  /** It is valid only later (`nbf`, `iat`). */
  | "not-yet-valid"
  /** It was revoked, or its authorization server does not know it (RFC 7662: not `active`). */
  | "inactive"
  /** A claim is missing or has the wrong type. */
  | "claims"
  /** The proof of the token's key is missing or wrong (RFC 9449). */
  | "proof";

/** A token is not accepted. Its message goes to the client as `error_description`, and contains nothing of the token. */
export class InvalidTokenError extends SdkError {
  override readonly name: string = "InvalidTokenError";

  constructor(
    readonly reason: InvalidTokenReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super("INVALID_TOKEN", message, { reason }, options);
  }
}

/** A token cannot be verified now, for example because the authorization server does not respond. It may well be valid. */
export class TokenVerificationError extends SdkError {
  override readonly name = "TokenVerificationError";

  constructor(message: string, options?: ErrorOptions) {
    super("TOKEN_NOT_VERIFIED", message, undefined, options);
  }
}
