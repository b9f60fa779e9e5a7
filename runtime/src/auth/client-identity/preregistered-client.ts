import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import { assertText, ClientAuthentication } from "./client-authentication.js";
import type { ClientAuthenticationOptions } from "./client-authentication.js";
import type { OAuthClient } from "./oauth-client.js";

/** A client that was registered at an authorization server beforehand. */
export interface PreregisteredClientOptions extends ClientAuthenticationOptions {
  readonly clientId: string;
  /**
   * The issuer of the authorization server where the client is registered. Its credentials are then sent to no other server, even
   * if the MCP server names one. Set it whenever you know it. Default: the authorization server that the MCP server names.
   */
  readonly issuer?: string;
}

/** A pre-registered client, with its imported key. */
export class PreregisteredClient {
  readonly #options: PreregisteredClientOptions;
  readonly #authentication: ClientAuthentication;

  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: PreregisteredClientOptions) {
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
    return { clientId, authentication: this.#authentication.choose(server), source: "pre-registered" };
  }
}
