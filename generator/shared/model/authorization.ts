/**
 * The authorization fields: the rules by which clients of a revision find an authorization server and log in to it. They are
 * not part of the profile, which every program contains. The interface `AuthorizationRules` is printed from this list; values
 * are stated in overlays.
 */
export interface AuthorizationField {
  readonly name: string;
  readonly type: AuthorizationFieldType;
  readonly text: string;
}

/** `list`: some of these strings, in an order that matters. `paths`: a path by each of these names, or null for none. */
export type AuthorizationFieldType =
  "boolean" | { readonly list: readonly string[] } | { readonly paths: readonly string[] };

export const authorizationFields: readonly AuthorizationField[] = [
  {
    name: "resourceMetadata",
    type: "boolean",
    text: "Whether MCP servers name their authorization servers in protected-resource metadata (RFC 9728).",
  },
  {
    name: "serverMetadata",
    type: { list: ["oauth", "openidInserted", "openidAppended", "origin"] },
    text: "Where clients look for the metadata of an authorization server, in this order: `oauth` inserts the well-known path of RFC 8414 before the path of the issuer, `openidInserted` that of OpenID Connect. `openidAppended` appends the latter, and is skipped for an issuer without a path. `origin` drops the path of the MCP server's URL.",
  },
  {
    name: "defaultEndpoints",
    type: { paths: ["authorize", "token", "register"] },
    text: "The paths of the endpoints at the origin of an MCP server without any metadata; null when there are none.",
  },
  {
    name: "versionHeader",
    type: "boolean",
    text: "Whether requests for the metadata of an authorization server have the `MCP-Protocol-Version` header.",
  },
  {
    name: "resourceParameter",
    type: "boolean",
    text: "Whether authorization and token requests have the `resource` parameter (RFC 8707).",
  },
  {
    name: "pkceAnnouncement",
    type: "boolean",
    text: "Whether a client must refuse an authorization server whose metadata does not announce PKCE with S256.",
  },
  {
    name: "clientIdMetadata",
    type: "boolean",
    text: "Whether a client may identify itself by the URL of its metadata document.",
  },
  {
    name: "applicationType",
    type: "boolean",
    text: "Whether a dynamic registration must state an `application_type`.",
  },
  {
    name: "issuerParameter",
    type: "boolean",
    text: "Whether a client checks `iss` in authorization responses (RFC 9207).",
  },
];
