import type { CredentialStore } from "../credential-store.js";
import type { ClientAuthenticationOptions, Provided } from "./client-authentication.js";
import type { ApplicationDescription } from "./registration-metadata.js";
import type { PrivateKey } from "./signing-key.js";

/** A client that was registered at an authorization server by hand. */
export interface PreRegisteredClient extends ClientAuthenticationOptions {
  readonly clientId: string;
  /**
   * The issuer of the authorization server that registered the client. Other authorization servers never see the client.
   * Default: the first one with which the client is used, which the store remembers.
   */
  readonly issuer?: string;
}

/**
 * How an application identifies itself to authorization servers. The first of these that is possible: `client`, the metadata
 * document at `clientMetadataUrl`, a dynamic registration (MCP 2026-07-28, client registration).
 */
export interface ClientIdentityOptions extends ApplicationDescription {
  /** A client that was registered by hand. Default: none. */
  readonly client?: PreRegisteredClient;
  /**
   * The https URL, with a path, of the metadata document of the application, which is its client id at authorization servers that
   * accept such documents. `clientIdMetadataDocument` makes one. Default: none.
   */
  readonly clientMetadataUrl?: string;
  /** The private key of a document with `private_key_jwt`. Default: none, the document says `none`. */
  readonly clientMetadataKey?: Provided<PrivateKey>;
  /** Whether the application may register itself at authorization servers (RFC 7591). Default: true. */
  readonly registration?: boolean;
  /**
   * Where dynamic registrations are kept. Pass one store to the providers of all users, so that the application registers once and
   * not for each user. Default: `store`.
   */
  readonly registrationStore?: CredentialStore;
  /** Authorizes dynamic registrations where they are not open to everybody (RFC 7591, section 3). Default: none. */
  readonly initialAccessToken?: string;
}
