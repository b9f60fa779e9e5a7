/** How a command authorizes its requests to a server at a URL. */
export interface AuthorizationSettings {
  /** The token to send. Default: that of the last log-in. */
  readonly token?: string;
  /** The token to send without `token` and without an `Authorization` header. */
  readonly defaultToken?: string;
  /** The client, as it is registered at the authorization server. Default: that of the last log-in, or a new registration. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The issuer of the authorization server that has registered `clientId`. Default: the first one with which it is used. */
  readonly issuer?: string;
  /** Scopes to request besides those that the server names. */
  readonly scopes?: readonly string[];
  /** Hosts of authorization servers whose addresses may be private. The host of the MCP server is always allowed. */
  readonly authHosts?: readonly string[];
  /** Whether the user can log in when the server requires it. Default: `false`; only earlier log-ins are used. */
  readonly canLogIn?: boolean;
  /** Whether to open the browser. Default: `true`; otherwise the address of the page is printed. */
  readonly openBrowser?: boolean;
  /** Milliseconds that the user has to log in. Default: `300_000`. */
  readonly loginTimeoutMs?: number;
  /** The file with the credentials. Default: `mcpwright/credentials.json` in the user's folder for configuration. */
  readonly credentials?: string;
}
