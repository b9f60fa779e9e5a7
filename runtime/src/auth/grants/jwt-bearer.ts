import type { FetchLike } from "../../http-client/fetch-like.js";
import { raceAbort } from "../../timing/race-abort.js";
import { AuthorizationError } from "../auth-errors.js";
import { assertText } from "../client-identity/client-authentication.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { PreRegisteredClient } from "../client-identity/client-identity-options.js";
import { ConfiguredClient } from "../client-identity/configured-client.js";
import type { OAuthOptions } from "../oauth-options.js";
import type { TokenSet } from "../tokens/token-set.js";
import type { Grant, GrantContext } from "./grant.js";
import { RefusedAssertions } from "./refused-assertions.js";
import { scopeParameter } from "./scope-parameter.js";
import { withoutRefreshToken } from "./without-refresh-token.js";

/** What an assertion is needed for. */
export interface AssertionContext {
  /** The issuer of the MCP server's authorization server, exactly as it is spelled: the audience of the assertion. */
  readonly authorizationServerUrl: string;
  /** The identifier of the MCP server (RFC 9728), exactly as it is spelled; its URL when it has no resource metadata. */
  readonly resourceUrl: string;
  /** The scopes to request, separated by spaces; undefined for none. */
  readonly scope: string | undefined;
  /** The option `fetch`, or the global one. */
  readonly fetchFn: FetchLike;
  /** Aborted when the provider is closed, or authorization has taken too long. */
  readonly signal: AbortSignal;
}

/** An assertion with other scopes than the requested ones. */
export interface ScopedAssertion {
  readonly assertion: string;
  readonly scopes: readonly string[] | undefined;
}

/** Returns an assertion for one token request. */
export type AssertionSource = (
  context: AssertionContext,
  grant: GrantContext,
) => string | ScopedAssertion | Promise<string | ScopedAssertion>;

/** Exchanges a JWT of a trusted issuer for an access token (RFC 7523, section 2.1). The JWT is used once and never stored. */
export class JwtBearerGrant implements Grant {
  readonly isInteractive = false;
  readonly #client: ConfiguredClient;
  readonly #assertion: AssertionSource;
  readonly #options: OAuthOptions;
  readonly #refused = new RefusedAssertions();

  /**
   * @param assertion called for each token request
   * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
   */
  constructor(client: PreRegisteredClient, assertion: AssertionSource, options: OAuthOptions) {
    this.#client = new ConfiguredClient(client);
    this.#assertion = assertion;
    this.#options = options;
  }

  resolveClient({ server }: GrantContext): Promise<OAuthClient> {
    return Promise.resolve(server).then((found) => this.#client.resolve(found));
  }

  /** @throws AuthorizationError `token-refused`, also without a request for an assertion that this server has refused before */
  async obtain(context: GrantContext, client: OAuthClient): Promise<TokenSet> {
    const { server, signal, tokens } = context;
    const { fetch: fetchFn = (url, init) => fetch(url, init) } = this.#options;
    const assertionContext: AssertionContext = {
      authorizationServerUrl: server.issuer,
      resourceUrl: server.resource ?? context.url.href,
      scope: scopeParameter(context.scopes).scope,
      fetchFn,
      signal,
    };
    const given = await raceAbort(signal, Promise.resolve(this.#assertion(assertionContext, context)));
    const { assertion, scopes } = typeof given === "object" ? given : { assertion: given, scopes: context.scopes };
    assertText(assertion, "assertion");
    const use = `${assertion} ${server.issuer} ${assertionContext.resourceUrl}`;
    await this.#refused.assertNew(use);
    try {
      const parameters = { assertion, ...scopeParameter(scopes) };
      const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
      return withoutRefreshToken(await tokens.request(client, grantType, parameters));
    } catch (error) {
      if (error instanceof AuthorizationError && error.reason === "token-refused") await this.#refused.add(use, error);
      throw error;
    }
  }
}
