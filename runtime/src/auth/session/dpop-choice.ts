import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { OAuthOptions } from "../oauth-options.js";
import { acceptsDpopProofs, DpopKey } from "../tokens/dpop.js";
import type { TokenSet } from "../tokens/token-set.js";

/**
 * Returns the key for new tokens: that of the current ones if they have one. Undefined for bearer tokens.
 * @throws AuthorizationError `metadata-invalid` when the application demands DPoP, and the authorization server lacks it
 */
export async function chooseDpopKey(
  { dpop = "auto" }: OAuthOptions,
  server: DiscoveredServer,
  current: TokenSet | undefined,
): Promise<DpopKey | undefined> {
  const { issuer, metadata, acceptsDpop } = server;
  const isAnnounced = acceptsDpopProofs(metadata) === true;
  if (dpop === true && !isAnnounced)
    throw new AuthorizationError(
      "metadata-invalid",
      `${issuer} does not announce DPoP with ES256 (dpop_signing_alg_values_supported); omit the option \`dpop: true\``,
      { issuer },
    );
  if (dpop === false || !isAnnounced || (dpop === "auto" && !acceptsDpop)) return undefined;
  return (current?.issuer === issuer ? await dpopKeyOf(current) : undefined) ?? DpopKey.generate();
}

/** Returns the key that tokens are bound to; undefined for bearer tokens. @throws AuthorizationError `store-failed` */
export async function dpopKeyOf({ scheme, dpopKey }: TokenSet): Promise<DpopKey | undefined> {
  return scheme === "DPoP" && dpopKey ? DpopKey.from(dpopKey) : undefined;
}
