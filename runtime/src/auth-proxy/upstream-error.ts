import { SdkError } from "../jsonrpc/errors.js";

/** Why a provider did not do what was asked. */
export type UpstreamFailure =
  /** The user refused at the provider, or is not accepted here. */
  | "denied"
  /** The tokens of the user are gone or revoked: the user has to log in again. The MCP tokens of the account were revoked, too. */
  | "login-required"
  /** The provider rejected a request; `data.error` has its code. Check the client id, the secret and the redirect URI. */
  | "refused"
  /** A response of the provider is not valid. */
  | "invalid"
  /** The provider could not be reached, did not respond in time, or is unavailable. A later attempt may succeed. */
  | "unreachable";

export interface UpstreamErrorData {
  readonly reason: UpstreamFailure;
  /** The OAuth error code of the provider (RFC 6749, sections 4.1.2.1 and 5.2). */
  readonly error?: string;
}

/**
 * The provider behind an OAuth proxy did not do what was asked. No member contains a token, a code or a secret.
 *
 * A tool that gets `login-required` can let it pass: the call fails with its message, and the next request of the client gets 401,
 * after which the client lets the user log in again.
 */
export class UpstreamError extends SdkError {
  override readonly name = "UpstreamError";
  declare readonly data: UpstreamErrorData;

  constructor(
    readonly reason: UpstreamFailure,
    message: string,
    data: Omit<UpstreamErrorData, "reason"> = {},
  ) {
    super("UPSTREAM_FAILED", message, { reason, ...data });
  }
}
