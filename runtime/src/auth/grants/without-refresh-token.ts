import type { TokenSet } from "../tokens/token-set.js";

/**
 * Drops a refresh token, which servers should not send for a grant that can be repeated without a user (RFC 6749, section 4.4.3;
 * RFC 7521, section 4.1): each new token shows that the access is still allowed.
 */
export function withoutRefreshToken({ refreshToken: _, ...tokens }: TokenSet): TokenSet {
  return tokens;
}
