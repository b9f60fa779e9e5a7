/** The clients that the tests of log-ins use. */
import type { AuthorizationCodeProvider } from "@mcpwright/runtime/auth";
import type { ClientMetadata } from "oidc-provider";
import type { AuthServerOptions } from "../auth-server/auth-server.js";

/** A redirect URI that nothing listens to: users without a browser do not load it. */
export const redirectUri = "http://127.0.0.1:9/callback";

export const nativeClient = {
  client_name: "Desk",
  application_type: "native",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
} satisfies Partial<ClientMetadata>;

const documentUrl = "https://desk.example/client.json";

export interface ClientConfiguration {
  readonly server: AuthServerOptions;
  readonly client: ProviderOptions;
  /** What the authorization server records before the first page. */
  readonly events: readonly string[];
}

export type ProviderOptions = Partial<ConstructorParameters<typeof AuthorizationCodeProvider>[0]>;

/** How each configuration of the authorization server knows the client, and how the client identifies itself. */
export const configurations: Readonly<Record<string, ClientConfiguration>> = {
  "dynamic registration": { server: { registration: true }, client: {}, events: ["register"] },
  "a client that is known in advance": {
    server: { clients: [{ ...nativeClient, client_id: "desk" }] },
    client: { client: { clientId: "desk" } },
    events: [],
  },
  "a client metadata document": {
    server: { documents: { [documentUrl]: { ...nativeClient, client_id: documentUrl } } },
    client: { clientMetadataUrl: documentUrl },
    events: [],
  },
};
