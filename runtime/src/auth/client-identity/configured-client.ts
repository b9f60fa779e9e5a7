import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import { assertText, ClientAuthentication } from "./client-authentication.js";
import type { PreRegisteredClient } from "./client-identity-options.js";
import type { OAuthClient } from "./oauth-client.js";

/** The identity of a client that was registered by hand, at any authorization server or at one of them. */
export class ConfiguredClient {
  readonly #options: PreRegisteredClient;
  readonly #authentication: ClientAuthentication;

  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: PreRegisteredClient) {
    assertText(options.clientId, "clientId");
    if (options.issuer !== undefined) assertText(options.issuer, "issuer");
    this.#options = options;
    this.#authentication = new ClientAuthentication(options);
  }

  /**
   * Returns the identity at an authorization server.
   * @throws AuthorizationError `no-client` when the client belongs to another issuer, or cannot authenticate there
   */
  resolve(server: DiscoveredServer): OAuthClient {
    const { clientId, issuer } = this.#options;
    // Byte for byte: an issuer that differs by a slash may be another one.
    if (issuer !== undefined && issuer !== server.issuer)
      throw new AuthorizationError(
        "no-client",
        `The client is registered at ${issuer} (option issuer), but the MCP server uses ${server.issuer}`,
        { issuer: server.issuer },
      );
    return {
      clientId,
      authentication: this.#authentication.choose(server),
      source: "pre-registered",
      ...(issuer !== undefined && { issuer }),
    };
  }
}
