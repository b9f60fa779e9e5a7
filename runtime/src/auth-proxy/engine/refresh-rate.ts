import { errors, type KoaContextWithOIDC } from "oidc-provider";

/** How many times a log-in can refresh its tokens at once, and how often in the lifetime of an access token. */
const [burst, perLifetime] = [100, 4];

/** The tokens are refreshed much more often than they expire. The client may repeat the request. */
class TooManyRefreshes extends errors.OIDCProviderError {
  override readonly error_description = "the tokens were refreshed too often; use the access token until it expires";

  constructor() {
    super(429, "temporarily_unavailable");
    this.expose = true;
  }
}

/**
 * Bounds the refreshes of each log-in. A used refresh token is kept until it would have expired, because a second use must end the log-in
 * (OAuth 2.1, section 4.3.1): without a bound, one client could fill the store.
 * @returns the setting `rotateRefreshToken`, which is called before a refresh token counts as used
 */
export function boundedRotation(accessTokenSeconds: number): (context: KoaContextWithOIDC) => boolean {
  return (context) => {
    const { iiat: startedAt = 0, rotations = 0 } = context.oidc.entities.RefreshToken ?? {};
    const seconds = Date.now() / 1_000 - startedAt;
    const wait = (rotations + 1 - burst) * (accessTokenSeconds / perLifetime) - seconds;
    if (wait <= 0) return true;
    context.set("retry-after", String(Math.ceil(wait)));
    throw new TooManyRefreshes();
  };
}
