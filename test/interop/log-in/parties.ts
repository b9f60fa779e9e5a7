/** What the client and the protected server agree on. */

export const scopes = { read: "files:read", write: "files:write" } as const;

/** The scope of the tool `erase`, which the authorization server does not grant. */
export const scopeNotGranted = "files:erase";

/** A service that is known to the authorization server in advance. */
export const serviceClient = {
  client_id: "service",
  client_secret: "a secret of the service",
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: "client_secret_basic",
} as const satisfies ServiceClient;

interface ServiceClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly grant_types: readonly string[];
  readonly redirect_uris: readonly string[];
  readonly response_types: readonly [];
  readonly token_endpoint_auth_method: "client_secret_basic";
}
