import type { FetchLike } from "../http-client/fetch-like.js";
import type { ProxyStore } from "./proxy-store.js";
import type { UpstreamProvider } from "./upstream-provider.js";

/** How clients may register themselves (RFC 7591), and the limits that keep a flood of registrations from filling the store. */
export interface RegistrationOptions {
  /** Most registered clients that the store may contain. At the limit, registration fails with 503 until some expire. Default: 10,000. */
  readonly maxClients?: number;
  /** Registrations that one address (for IPv6: one /64 network) may make per hour. Default: 20. */
  readonly maxPerAddress?: number;
  /** Registrations of all addresses together per hour. Default: 1,000. */
  readonly maxPerHour?: number;
  /** Days after which a client expires that has never got a token. Default: 1. */
  readonly unusedDays?: number;
  /** Days after its last token request at which a client expires. Default: 90. */
  readonly idleDays?: number;
}

/** Returns the address of a client, or undefined when it is not known. */
export type AddressOf = (request: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}) => string | undefined;

/** Which client-id metadata documents are accepted, and how they are fetched. */
export interface MetadataDocumentOptions {
  /** The hosts whose documents are accepted. Default: every host. */
  readonly hosts?: readonly string[];
  /** Hosts that may have a loopback or private address; the option `allow` of `guardedFetch`. Default: none. */
  readonly allow?: readonly string[];
  /** Milliseconds that a document may take to arrive. Default: 5,000. */
  readonly timeoutMs?: number;
  /** The size limit of a document in bytes. Default: 10,240. */
  readonly maxBytes?: number;
  /** Fetches that may run at the same time. Default: 20. */
  readonly maxConcurrent?: number;
  /** Fetches documents. Default: `guardedFetch({ allow })`, which connects to public addresses only. */
  readonly fetch?: FetchLike;
}

/** A client that is known in advance. */
export interface KnownClient {
  readonly clientId: string;
  /** Default: none, a public client. Confidential clients authenticate with `client_secret_basic` or `client_secret_post`. */
  readonly clientSecret?: string;
  /** The name on the consent page. Default: the client id. */
  readonly clientName?: string;
  readonly redirectUris: readonly string[];
}

export interface OAuthProxyOptions {
  /**
   * The issuer identifier (RFC 8414): the public URL of this authorization server, which may have a path. All its endpoint URLs begin
   * with it. https, or http on a loopback host.
   */
  readonly issuer: string | URL;
  /** The canonical URI of the MCP server (RFC 8707), written like that of `requireBearerAuth`. Tokens are valid there only. */
  readonly resource: string | URL;
  /** The provider that users log in at: `github`, `google`, `entra`, `oidc`, or one of your own. */
  readonly upstream: UpstreamProvider;
  /** The scopes of the MCP server, with the texts that explain them on the consent page. Default: one scope, `mcp`. */
  readonly scopes?: Readonly<Record<string, string>>;
  /**
   * Secrets of at least 32 characters that sign cookies and encrypt the values in the store. The first one is used for new values; the
   * others still open older ones, so put a new secret first and remove the old one after `grantSeconds`: log-ins sealed with it end then.
   * With several processes, add the new secret at the end first, so that all of them can open new values.
   */
  readonly secrets: readonly string[];
  /** Where clients, tokens and consents are kept. Default: the memory of this process, for development. */
  readonly store?: ProxyStore;
  /** Clients that are known in advance. Default: none. */
  readonly clients?: readonly KnownClient[];
  /** Whether clients may register themselves, and with which limits. Default: true. */
  readonly registration?: boolean | RegistrationOptions;
  /** Whether clients may use the URL of a metadata document as their id, and which. Default: true. */
  readonly metadataDocuments?: boolean | MetadataDocumentOptions;
  /** Private-use URI schemes that redirect URIs may have (RFC 8252, section 7.1), such as `com.example.app`. Default: none. */
  readonly redirectSchemes?: readonly string[];
  /** Lifetime of access tokens in seconds. Default: 600. */
  readonly accessTokenSeconds?: number;
  /** Lifetime of refresh tokens in seconds; each use replaces a token, and the new one has the whole lifetime. Default: 2,592,000 (30 days). */
  readonly refreshTokenSeconds?: number;
  /** Seconds after which users have to log in again, however often tokens are refreshed. Default: 7,776,000 (90 days). */
  readonly grantSeconds?: number;
  /**
   * Days for which users may let their browser remember a consent, for the same client, redirect URI and scopes. Offered for redirect
   * URIs with https only. 0: users are asked each time. Default: 30.
   */
  readonly rememberConsentDays?: number;
  /** Seconds within which users must have consented and logged in. Default: 600. */
  readonly interactionSeconds?: number;
  /** Accepted values of `Host` besides the host of `issuer`, with or without a port, such as the one that a reverse proxy sends; or `any`. Default: none. */
  readonly allowedHosts?: readonly string[] | "any";
  /**
   * Returns the address that a request comes from, which the limits per address count. Behind a reverse proxy, return the one that
   * it puts into a header. Default: the address of the connection, if it is public; for others, only the limits of all together apply.
   */
  readonly addressOf?: AddressOf;
  /** The name of the MCP server on the consent page. Default: the host of `resource`. */
  readonly serviceName?: string;
  /** Milliseconds that a request to the provider may take. Default: 10,000. */
  readonly upstreamTimeoutMs?: number;
  /** Receives errors that are not the client's: of the store, the provider, or bugs. They contain no secrets. Default: a process warning. */
  readonly onerror?: (error: Error) => void;
}
