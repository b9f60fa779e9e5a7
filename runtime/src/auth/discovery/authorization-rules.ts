/** How clients of one revision find an authorization server and log in to it (MCP, authorization). */
export interface AuthorizationRules {
  readonly revision: string;
  /** Whether MCP servers name their authorization servers in protected-resource metadata (RFC 9728). */
  readonly resourceMetadata: boolean;
  /**
   * Where the metadata of an authorization server is looked for, in this order: `oauth` inserts the well-known path of RFC 8414
   * before the issuer's path, `openidInserted` that of OpenID Connect; `openidAppended` appends it, and is skipped for issuers
   * without a path. `origin` drops the path of the MCP server's URL.
   */
  readonly serverMetadata: readonly ("oauth" | "openidInserted" | "openidAppended" | "origin")[];
  /** Paths of the endpoints of a server without metadata; null when there are none. */
  readonly defaultEndpoints: { readonly authorize: string; readonly token: string; readonly register: string } | null;
  /** Whether metadata requests have the `MCP-Protocol-Version` header. */
  readonly versionHeader: boolean;
  /** Whether authorization and token requests have the `resource` parameter (RFC 8707). */
  readonly resourceParameter: boolean;
  /** Whether a client must refuse an authorization server that does not announce S256. */
  readonly pkceAnnouncement: boolean;
  /** Whether a client may identify itself by the URL of its metadata document. */
  readonly clientIdMetadata: boolean;
  /** Whether dynamic registration must state an `application_type`. */
  readonly applicationType: boolean;
  /** Whether the client checks `iss` in authorization responses (RFC 9207). */
  readonly issuerParameter: boolean;
}

/** Newest first. */
export const authorizationRules: readonly AuthorizationRules[] = [
  {
    revision: "2026-07-28",
    resourceMetadata: true,
    serverMetadata: ["oauth", "openidInserted", "openidAppended"],
    defaultEndpoints: null,
    versionHeader: false,
    resourceParameter: true,
    pkceAnnouncement: true,
    clientIdMetadata: true,
    applicationType: true,
    issuerParameter: true,
  },
  {
    revision: "2025-03-26",
    resourceMetadata: false,
    serverMetadata: ["origin"],
    defaultEndpoints: { authorize: "/authorize", token: "/token", register: "/register" },
    versionHeader: true,
    resourceParameter: false,
    pkceAnnouncement: false,
    clientIdMetadata: false,
    applicationType: false,
    issuerParameter: false,
  },
];
