import { assertionType, createPrivateKeyJwtAuth } from "./private-key-jwt.js";
import type { AddClientAuthentication } from "./provider.js";
import { StoredClientProvider } from "./stored-client.js";

interface ClientOptions {
  clientId: string;
  clientName?: string;
  scope?: string;
  /** The only authorization server that gets the credentials. */
  expectedIssuer?: string;
}

export interface ClientCredentialsProviderOptions extends ClientOptions {
  clientSecret: string;
}

function metadataOf(
  { clientName, scope }: ClientOptions,
  defaultName: string,
  method: string,
): { client_name: string; grant_types: string[]; token_endpoint_auth_method: string; scope?: string } {
  return {
    client_name: clientName ?? defaultName,
    grant_types: ["client_credentials"],
    token_endpoint_auth_method: method,
    ...(scope !== undefined && { scope }),
  };
}

/** Logs in with the secret of the client (RFC 6749, section 4.4). */
export class ClientCredentialsProvider extends StoredClientProvider {
  constructor(options: ClientCredentialsProviderOptions) {
    const { clientId: client_id, clientSecret: client_secret, expectedIssuer } = options;
    const metadata = metadataOf(options, "client-credentials-client", "client_secret_basic");
    super({ client_id, client_secret }, metadata, expectedIssuer);
  }
}

export interface PrivateKeyJwtProviderOptions extends ClientOptions {
  privateKey: string | Uint8Array | Record<string, unknown>;
  algorithm: string;
  /** Default: 300. */
  jwtLifetimeSeconds?: number;
  claims?: Record<string, unknown>;
}

/** Logs in with an assertion that the key of the client signs (RFC 7523). */
export class PrivateKeyJwtProvider extends StoredClientProvider {
  addClientAuthentication: AddClientAuthentication;

  constructor(options: PrivateKeyJwtProviderOptions) {
    const { clientId, privateKey, algorithm: alg, jwtLifetimeSeconds, claims, expectedIssuer } = options;
    super({ client_id: clientId }, metadataOf(options, "private-key-jwt-client", "private_key_jwt"), expectedIssuer);
    this.addClientAuthentication = createPrivateKeyJwtAuth({
      issuer: clientId,
      subject: clientId,
      privateKey,
      alg,
      ...(jwtLifetimeSeconds !== undefined && { lifetimeSeconds: jwtLifetimeSeconds }),
      ...(claims && { claims }),
    });
  }
}

export interface StaticPrivateKeyJwtProviderOptions extends ClientOptions {
  jwtBearerAssertion: string;
}

/** Logs in with an assertion that was signed elsewhere. */
export class StaticPrivateKeyJwtProvider extends StoredClientProvider {
  addClientAuthentication: AddClientAuthentication;

  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    const { clientId, jwtBearerAssertion, expectedIssuer } = options;
    const metadata = metadataOf(options, "static-private-key-jwt-client", "private_key_jwt");
    super({ client_id: clientId }, metadata, expectedIssuer);
    this.addClientAuthentication = (_headers, params) => {
      params.set("client_assertion", jwtBearerAssertion);
      params.set("client_assertion_type", assertionType);
    };
  }
}
