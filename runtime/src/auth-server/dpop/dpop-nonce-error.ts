import { InvalidTokenError } from "../token-errors.js";

/**
 * A proof has no nonce of this server, or an old one (RFC 9449, section 9): the response is 401 with the challenge
 * `DPoP error="use_dpop_nonce"` and the header `DPoP-Nonce`. The client repeats its request with that nonce.
 */
export class DpopNonceError extends InvalidTokenError {
  override readonly name = "DpopNonceError";

  constructor(message: string) {
    super("proof", message);
  }
}
