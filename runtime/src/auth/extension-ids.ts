/**
 * The extension that a service uses with `ClientCredentialsProvider` or `PrivateKeyJwtProvider`. A client declares it in its
 * capabilities (MCP extension `oauth-client-credentials`, implementation guide).
 * @example
 * ```ts
 * const capabilities = { extensions: { [oauthClientCredentials]: {} } };
 * const client = new Client({ name: "nightly-report", version: "1.0.0" }, { capabilities });
 * ```
 */
export const oauthClientCredentials = "io.modelcontextprotocol/oauth-client-credentials";

/**
 * The extension that an application uses with `CrossAppAccessProvider`. A client declares it in its capabilities (MCP extension
 * `enterprise-managed-authorization`, implementation guide).
 * @example
 * ```ts
 * const capabilities = { extensions: { [enterpriseManagedAuthorization]: {} } };
 * const client = new Client({ name: "office", version: "1.0.0" }, { capabilities });
 * ```
 */
export const enterpriseManagedAuthorization = "io.modelcontextprotocol/enterprise-managed-authorization";
