import type { Principal } from "../transport/principal.js";
import type { InvalidTokenReason } from "./token-errors.js";

/** A request that `requireBearerAuth` rejected, for logs and metrics. It never contains the token. */
export interface RefusedRequest {
  /** Unique. The response has it in the header `x-correlation-id`, so that a report of a user leads to this entry. */
  readonly correlationId: string;
  /** The status of the response. */
  readonly status: 400 | 401 | 403 | 500 | 503;
  /**
   * The `error` of the challenge, such as `invalid_token` and `insufficient_scope`; undefined for a request without a token, and when
   * the server failed.
   */
  readonly error: string | undefined;
  /** The reason in a sentence, as the client gets it. */
  readonly message: string;
  /** Why a token was not accepted. */
  readonly reason?: InvalidTokenReason | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The network address that sent the request, where the host knows it. */
  readonly remoteAddress: string | undefined;
  /** The user of the token, when the token is valid. */
  readonly principal?: Principal | undefined;
  /** The client that the token was issued to, when the token is valid. */
  readonly clientId?: string | undefined;
  /** The JSON-RPC requests that were rejected for lack of scopes: their methods, and what they name. */
  readonly operations?: readonly RefusedOperation[] | undefined;
  /** All scopes that the request needs. */
  readonly requiredScopes?: readonly string[] | undefined;
  /** Those that the token has. */
  readonly grantedScopes?: readonly string[] | undefined;
  /** Those that it lacks, with the scope hierarchy taken into account. */
  readonly missingScopes?: readonly string[] | undefined;
}

/** A JSON-RPC request, as far as logs should contain it. Its members are the client's input, shortened to 200 characters. */
export interface RefusedOperation {
  readonly method: string;
  /** The tool or prompt, or the URI of the resource. */
  readonly name: string | undefined;
}
