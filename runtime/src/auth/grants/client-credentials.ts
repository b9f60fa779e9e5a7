import type { ClientAuth } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { PreRegisteredClient } from "../client-identity/client-identity-options.js";
import { ConfiguredClient } from "../client-identity/configured-client.js";
import type { TokenSet } from "../tokens/token-set.js";
import type { Grant, GrantContext } from "./grant.js";
import { scopeParameter } from "./scope-parameter.js";
import { withoutRefreshToken } from "./without-refresh-token.js";

/**
 * Gets tokens for the application itself (RFC 6749, section 4.4; MCP extension `io.modelcontextprotocol/oauth-client-credentials`).
 * A token that expires is replaced with a new request, not with a refresh token.
 */
export class ClientCredentialsGrant implements Grant {
  readonly isInteractive = false;
  readonly #client: ConfiguredClient;

  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: PreRegisteredClient) {
    this.#client = new ConfiguredClient(options);
  }

  resolveClient({ server }: GrantContext): Promise<OAuthClient> {
    return Promise.resolve(server).then((found) => this.#client.resolve(found));
  }

  async obtain({ tokens, scopes }: GrantContext, client: OAuthClient): Promise<TokenSet> {
    const sender = { ...client, authentication: withoutClientId(client.authentication) };
    const request = (): Promise<TokenSet> => tokens.request(sender, "client_credentials", scopeParameter(scopes));
    try {
      return withoutRefreshToken(await request());
    } catch (error) {
      // The connection may have been closed while it was idle, and the request may be repeated.
      if (!isLost(error)) throw error;
      return withoutRefreshToken(await request());
    }
  }
}

/** Whether there was no response at all. */
function isLost(error: unknown): boolean {
  return error instanceof AuthorizationError && error.reason === "unreachable" && error.data.status === undefined;
}

/** The subject of an assertion is the client, so the extension omits `client_id` (RFC 7523, section 3). */
function withoutClientId(authentication: ClientAuth): ClientAuth {
  return async (server, client, body, headers) => {
    await authentication(server, client, body, headers);
    if (body.has("client_assertion")) body.delete("client_id");
  };
}
